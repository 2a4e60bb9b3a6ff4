import { visibleText } from '../../lib/core/visible-text.ts';
import type { ColumnChange, TableTotal, TestChange } from './data-diff.ts';

/** The changes of each table in all tests together, in the order in which the tests have them first. */
export function tableTotals(changes: readonly TestChange[]): readonly TableTotal[] {
  const tables = Map.groupBy(
    changes.flatMap((change) => change.tables.filter(({ unknown }) => unknown === undefined)),
    ({ table }) => table,
  );
  return [...tables].map(([table, found]) => {
    const sum = (count: 'added' | 'removed' | 'changed') =>
      found.reduce((total, change) => total + change[count], 0);
    const cells = new Map<string, number>();
    for (const change of found)
      for (const [column, count] of Object.entries(change.cells))
        cells.set(column, (cells.get(column) ?? 0) + count);
    return {
      table,
      tests: found.length,
      added: sum('added'),
      removed: sum('removed'),
      changed: sum('changed'),
      cells: Object.fromEntries(cells),
      columns: [...new Set(found.flatMap(({ columns }) => columns.map(columnText)))],
    };
  });
}

/** `new column AMOUNT` */
function columnText({ name, before, after, renamedFrom }: ColumnChange): string {
  if (renamedFrom !== undefined) return `column ${visibleText(renamedFrom)} is now ${visibleText(name)}`;
  if (after === undefined) return `column ${visibleText(name)} is gone`;
  return before === undefined
    ? `new column ${visibleText(name)}`
    : `other type of column ${visibleText(name)}`;
}
