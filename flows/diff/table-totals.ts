import type { TableTotal, TestChange } from './data-diff.ts';

/** The changes of each table in all tests together, in the order of the names. */
export function tableTotals(changes: readonly TestChange[]): readonly TableTotal[] {
  const tables = Map.groupBy(
    changes.flatMap((change) => change.tables),
    ({ table }) => table,
  );
  return [...tables]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, found]) => {
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
        columns: [...new Set(found.flatMap(({ columns }) => columns.map(({ name }) => name)))],
      };
    });
}
