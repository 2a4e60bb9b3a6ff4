import { type Column, quoteName, type Value, type Warehouse } from '../../engine/index.ts';
import { comparedSql } from './compared-sql.ts';
import type { SideTable } from './run-side.ts';

/** A column that the table has on both sides. */
export interface SharedColumn {
  readonly name: string;
  readonly before: Column;
  readonly after: Column;
  /** The comparable values of each side, as SQL over its rows. */
  readonly sql: readonly [before: string, after: string];
}

/** A table with both sides, in a warehouse with the databases `before` and `after`. */
export interface ComparedTable {
  readonly name: string;
  readonly from: readonly [before: string, after: string];
  readonly columns: readonly SharedColumn[];
  readonly warehouse: Warehouse;
}

export function comparedTable(before: SideTable, after: SideTable, warehouse: Warehouse): ComparedTable {
  const columns = before.columns.flatMap((column): SharedColumn[] => {
    const other = after.columns.find(({ name }) => name === column.name);
    if (other === undefined) return [];
    const sql = quoteName(column.name);
    const [left, right] = comparedSql(column.type, other.type);
    return [{ name: column.name, before: column, after: other, sql: [left(sql), right(sql)] }];
  });
  return { name: after.name, from: [`before.${before.sql}`, `after.${after.sql}`], columns, warehouse };
}

/** The only row that a query returns. */
export async function onlyRow(sql: string, warehouse: Warehouse): Promise<readonly Value[]> {
  const { rows } = await warehouse.query(sql, { maxRows: 1 });
  return rows[0] ?? [];
}

/** The SQL for the rows of one side with comparable values, in columns v0, v1 and so on. */
export function valuesSql(
  { from }: Pick<ComparedTable, 'from'>,
  side: 0 | 1,
  columns: readonly SharedColumn[],
): string {
  return ['true AS here', ...columns.map(({ sql }, index) => `${sql[side]} AS v${index}`)]
    .join(', ')
    .replace(/^/, 'SELECT ')
    .concat(` FROM ${from[side]}`);
}

/** The SQL condition that the first columns of two rows are equal. Null equals null. */
export function sameKeySql(count: number): string {
  return Array.from({ length: count }, (_, index) => `b.v${index} IS NOT DISTINCT FROM a.v${index}`).join(
    ' AND ',
  );
}
