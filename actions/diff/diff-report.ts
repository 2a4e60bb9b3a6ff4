import type { DataDiff, TableChange, TableTotal } from '../../flows/diff/data-diff.ts';
import {
  changeLines,
  comparedWith,
  countsText,
  headline,
  othersText,
  shownChanges,
  unknownBlocks,
} from '../../flows/diff/diff-lines.ts';
import { isChange, runsOthers } from '../../flows/diff/is-change.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { annotationCommand, maximumPerLevel } from '../../lib/report/annotations.ts';
import type { Report } from '../../lib/report/report.ts';

interface Shown {
  /** What makes a path of the project one of the repository. */
  readonly prefix: string;
  readonly notes: readonly string[];
  /** Whether changes fail the step. */
  readonly failsOnChange: boolean;
}

/** The data diff as a report: the tables with their counts, then the changes of each test, then what is not known. */
export function reportOfDiff(diff: DataDiff, { prefix, notes, failsOnChange }: Shown): Report {
  const { shown, others } = shownChanges(diff);
  return {
    title: 'Data diff',
    outcome: outcomeOf(diff, failsOnChange),
    headline: headline(diff),
    facts: [],
    findings: [],
    tables: [
      {
        title: 'Tables',
        columns: ['table', 'added', 'removed', 'changed', 'changed rows by column', 'other columns', 'tests'],
        rows: diff.tables.map(totalRow),
      },
    ],
    blocks: [
      ...unknownBlocks(diff),
      ...shown.map((change) => ({
        title: `${prefix}${change.file}:${change.line} ${change.name}`,
        lines: changeLines(change),
      })),
    ],
    isNews: diff.changes.some((change) => isChange(change) || runsOthers(change)) || diff.untested.length > 0,
    notes: [comparedWith(diff), ...(others === 0 ? [] : [othersText(others)]), ...notes],
  };
}

function outcomeOf({ isSame, changes, problems }: DataDiff, failsOnChange: boolean): Report['outcome'] {
  if (problems !== undefined) return 'error';
  if (isSame) return 'nothing-to-do';
  return failsOnChange && changes.some(isChange) ? 'failed' : 'passed';
}

function totalRow({ table, added, removed, changed, cells, columns, tests }: TableTotal): readonly string[] {
  const byColumn = Object.entries(cells).map(([column, count]) => `${column} ${count}`);
  return [
    table,
    String(added),
    String(removed),
    String(changed),
    byColumn.join(', '),
    columns.join(', '),
    String(tests),
  ];
}

/** Annotations on the lines of the components that write the changed tables: one for each table and component. */
export function diffAnnotations(diff: DataDiff, prefix: string): readonly string[] {
  const written = diff.changes.flatMap(({ tables }) => tables.filter(({ at }) => at !== undefined));
  const groups = Map.groupBy(written, ({ table, at }) => JSON.stringify([table, at]));
  return [...groups.values()].slice(0, maximumPerLevel).flatMap((changes) => {
    const [first] = changes;
    if (first?.at === undefined) return [];
    const { table, at } = first;
    const message = `Table "${table}": ${changesText(changes)}`;
    const { file, line, column } = at;
    return [
      annotationCommand('notice', message, { file: `${prefix}${file}`, line, column, title: 'Data changes' }),
    ];
  });
}

/** What happens to a table in all tests together. The counts of a table that could not be compared are 0. */
function changesText(changes: readonly TableChange[]): string {
  const compared = changes.filter(({ unknown }) => unknown === undefined);
  const sum = (count: keyof Pick<TableChange, 'added' | 'removed' | 'changed'>) =>
    compared.reduce((total, change) => total + change[count], 0);
  const counts = countsText({ added: sum('added'), removed: sum('removed'), changed: sum('changed') });
  const left = changes.length - compared.length;
  const known =
    compared.length === 0 ? [] : [`${counts} on the rows of ${numberOf(compared.length, 'test')}`];
  const unknown = left === 0 ? [] : [`could not be compared in ${numberOf(left, 'test')}`];
  const rest = compared.length === 0 ? 'the reason' : 'the rows';
  return `${[...known, ...unknown].join('; ')}. The job summary has ${rest}.`;
}
