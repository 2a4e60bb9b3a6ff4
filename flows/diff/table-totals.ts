import { shownNames } from '../../lib/core/text/look-alike.ts';
import type { ColumnChange, TableTotal, TestChange } from './data-diff.ts';

/** Sums the changes of each table over all tests, in the order in which the tests first have the tables. */
export function tableTotals(changes: readonly TestChange[]): readonly TableTotal[] {
  const tables = Map.groupBy(
    changes.flatMap((change) => change.tables.filter(({ unknown }) => unknown === undefined)),
    ({ table }) => table,
  );
  return [...tables].map(([table, tableChanges]) => {
    const sum = (count: 'added' | 'removed' | 'changed') =>
      tableChanges.reduce((total, change) => total + change[count], 0);
    const cells = new Map<string, number>();
    for (const change of tableChanges)
      for (const [column, count] of Object.entries(change.cells))
        cells.set(column, (cells.get(column) ?? 0) + count);
    return {
      table,
      tests: tableChanges.length,
      added: sum('added'),
      removed: sum('removed'),
      changed: sum('changed'),
      cells: Object.fromEntries(cells),
      columns: columnTexts(tableChanges.flatMap(({ columns }) => columns)),
    };
  });
}

function columnTexts(columns: readonly ColumnChange[]): readonly string[] {
  const nameOf = shownNames(columns.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]));
  return [...new Set(columns.map((column) => columnText(column, nameOf)))];
}

/** `new column AMOUNT` */
function columnText(
  { name, before, after, renamedFrom }: ColumnChange,
  nameOf: (name: string) => string,
): string {
  if (renamedFrom !== undefined) return `column ${nameOf(renamedFrom)} is now ${nameOf(name)}`;
  if (after === undefined) return `column ${nameOf(name)} is gone`;
  return before === undefined ? `new column ${nameOf(name)}` : `other type of column ${nameOf(name)}`;
}
