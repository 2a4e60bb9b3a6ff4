import { numberOf } from '../../lib/core/text/number-of.ts';
import { countsText } from './change-lines.ts';
import type { DataDiff, TableChange } from './data-diff.ts';

/** A component that writes a table whose data changes, with a text about the change. */
export interface ChangedPlace {
  readonly at: NonNullable<TableChange['at']>;
  /** A sentence. */
  readonly message: string;
}

/** The components that write changed tables: one entry for each table and component. */
export function changedPlaces(diff: DataDiff): readonly ChangedPlace[] {
  const written = diff.changes.flatMap(({ tables }) => tables.filter(({ at }) => at !== undefined));
  const groups = Map.groupBy(written, ({ table, at }) => JSON.stringify([table, at]));
  return [...groups.values()].flatMap((changes) => {
    const [first] = changes;
    if (first?.at === undefined) return [];
    return [{ at: first.at, message: `Table "${first.table}": ${changesText(changes)}` }];
  });
}

/** What happens to a table in all tests together. The counts of a table that could not be compared are 0. */
function changesText(changes: readonly TableChange[]): string {
  const compared = changes.filter(({ unknown }) => unknown === undefined);
  const sum = (count: keyof Pick<TableChange, 'added' | 'removed' | 'changed'>) =>
    compared.reduce((total, change) => total + change[count], 0);
  const counts = countsText({ added: sum('added'), removed: sum('removed'), changed: sum('changed') });
  const left = changes.length - compared.length;
  const counted =
    compared.length === 0 ? [] : [`${counts} on the rows of ${numberOf(compared.length, 'test')}`];
  const unknown = left === 0 ? [] : [`could not be compared in ${numberOf(left, 'test')}`];
  const rest = compared.length === 0 ? 'the reason' : 'the rows';
  return `${[...counted, ...unknown].join('; ')}. The report has ${rest}.`;
}
