import { numberOf } from '../../../lib/core/text/number-of.ts';
import { type Place, Refusal, SqlError } from '../../core/refusal.ts';
import type { Catalog, Table, TableName, Unreadable, ViewNeed } from '../../core/relation.ts';
import { logicalTable } from './physical-name.ts';

/** How to make a view readable again. */
const OUTDATED_VIEW =
  'the warehouse refuses a view whose query has more or fewer columns than when it was created: create the view again, or list the columns in it';

/**
 * Explains which change of the tables below a view makes it unreadable. Undefined for a view that can be read, and
 * for a table.
 */
export function unreadable(view: Table, catalog: Pick<Catalog, 'find'>): Unreadable | undefined {
  return view.unreadable ?? unreadableBelow(view, catalog, new Set());
}

/** Throws SqlError or Refusal for a view that cannot be read any more. `shown`: the name of the view in the message. */
export function expectReadable(
  view: Table,
  catalog: Pick<Catalog, 'find'>,
  shown: string,
  place: Place | undefined,
): void {
  const found = unreadable(view, catalog);
  if (found === undefined) return;
  if (found.isRefused) throw new Refusal(`the view ${shown}, ${found.reason}`, place, OUTDATED_VIEW);
  throw new SqlError(`the view ${shown} cannot be read: ${found.reason}; create the view again`, { place });
}

/** @param seen the views above, because a view may read itself */
function unreadableBelow(
  { sql: view, needs }: Table,
  catalog: Pick<Catalog, 'find'>,
  seen: Set<string>,
): Unreadable | undefined {
  if (seen.has(view)) return undefined;
  seen.add(view);
  for (const need of needs ?? []) {
    const name = logicalTable(need.table);
    const table = name === undefined ? undefined : catalog.find(name);
    const found = name && lost(need, name, table);
    if (found !== undefined) return found;
    const below = table?.unreadable ?? (table && unreadableBelow(table, catalog, seen));
    if (below !== undefined) return below;
  }
  return undefined;
}

/** What a view needs of a table, and the table does not have. Only the first kind lets a table change below its views. */
function lost(
  { columns, count }: ViewNeed,
  { database, schema, table: name }: TableName,
  table: Table | undefined,
): Unreadable | undefined {
  if (count === undefined) return undefined;
  const because = (reason: string, isRefused = false): Unreadable => ({
    reason,
    isRefused,
    table: { database, schema, table: name },
  });
  if (table === undefined) return because(`it reads "${name}", which does not exist any more`);
  if (typeof count === 'number' && table.columns.length !== count)
    return because(
      `which reads * of "${name}": it had ${numberOf(count, 'column')} then, and has ${table.columns.length} now`,
      true,
    );
  const column = columns.find((each) => table.columns.every((own) => own.name !== each));
  if (column === undefined) return undefined;
  return because(`it reads the column "${column}" of "${name}", which is not there any more`);
}
