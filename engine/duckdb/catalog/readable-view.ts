import { numberOf } from '../../../lib/core/text/number-of.ts';
import { type Place, Refusal, SqlError } from '../../core/refusal.ts';
import type { Catalog, Table, TableName, Unreadable, ViewNeed } from '../../core/relation.ts';
import { logicalTable } from './physical-name.ts';

/** How to make a view readable again. */
const OUTDATED_VIEW =
  'the warehouse refuses a view whose query now has more or fewer columns than when the view was created: create the view again, or list its columns instead of *';

/**
 * Explains which change of the tables that a view reads makes the view unreadable. Undefined for a view that can be
 * read, and for a table.
 */
export function unreadable(view: Table, catalog: Pick<Catalog, 'find'>): Unreadable | undefined {
  return view.unreadable ?? unreadableBelow(view, catalog, new Set());
}

/** Throws SqlError or Refusal if a view can no longer be read. `shown` is the name of the view in the message. */
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

/** @param seen the views that read this view. A view may read itself. */
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

/**
 * What a view needs from a table although the table no longer has it. Only `WAREHOUSE_ONE` allows a table to be
 * changed while views read it.
 */
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
  if (table === undefined) return because(`it reads "${name}", which no longer exists`);
  if (typeof count === 'number' && table.columns.length !== count)
    return because(
      `which reads all columns (*) of "${name}": the table had ${numberOf(count, 'column')} when the view was created, and now has ${table.columns.length}`,
      true,
    );
  const column = columns.find((each) => table.columns.every((own) => own.name !== each));
  if (column === undefined) return undefined;
  return because(`it reads the column "${column}" of "${name}", which no longer exists`);
}
