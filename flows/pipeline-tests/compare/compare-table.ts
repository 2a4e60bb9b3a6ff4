import {
  type Column,
  expectReadable,
  type Table,
  type Value,
  type WrittenRows,
  storedName,
} from '../../../engine/index.ts';
import { comparableOfNode, comparableOfValue } from './compare-values.ts';
import { matchInOrder, matchRows, type RowMatch } from './match-rows.ts';
import type { ExpectedTable } from '../files/test-file.ts';
import type { TestRun } from './test-run.ts';

/** Maximum number of rows that are read. A test with more rows would not be readable. */
const maxRows = 100_000;

/** The message that a view cannot be read. The SQL of a view only runs, and can only fail, when the view is read. */
export function unreadable({ kind, table }: Table, { message }: Error): string {
  return `the ${kind} "${table}" cannot be read: ${message}`;
}

/** The number of rows of a table. Throws SqlError, and Refusal for a view that the engine does not read. */
export async function countRows(table: Table, { warehouse }: Pick<TestRun, 'warehouse'>): Promise<number> {
  expectReadable(table, warehouse.catalog, `"${table.table}"`, undefined);
  const { rows } = await warehouse.query(`SELECT count(*) FROM ${table.sql}`, { maxRows: 1 });
  return Number(rows[0]?.[0] ?? 0);
}

/** The column of a table that a test names; undefined if the table does not have it. */
export function columnOf({ columns }: Table, name: string, { project }: TestRun): Column | undefined {
  const stored = storedName(name, project.kind);
  return columns.find((column) => column.name === stored);
}

export type Rows = readonly (readonly Value[])[];

/**
 * Reads the first rows of a table, and the number of all rows. Without columns, only reads the number. Throws as
 * `countRows` does.
 */
export async function readRows(
  table: Table,
  columns: readonly Column[],
  run: Pick<TestRun, 'warehouse'>,
): Promise<{ readonly rows: Rows; readonly count: number }> {
  expectReadable(table, run.warehouse.catalog, `"${table.table}"`, undefined);
  const list =
    columns.length === 0 ? '1' : columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(', ');
  const { rows, isCut } = await run.warehouse.query(`SELECT ${list} FROM ${table.sql}`, {
    maxRows,
    tellsJsonNull: true,
  });
  const count = isCut ? await countRows(table, run) : rows.length;
  return { rows: columns.length === 0 ? rows.map(() => []) : rows, count };
}

/** Compares expected rows with the rows of a table, in the columns that the test names. */
export function compareRows(
  { isOrdered, tolerance }: ExpectedTable,
  written: WrittenRows,
  columns: readonly Column[],
  actual: Rows,
): RowMatch {
  const expectedRows = written.rows.map(({ cells }) =>
    columns.map(({ type }, index) => comparableOfNode(cells.get(written.columns[index] ?? ''), type)),
  );
  const actualRows = actual.map((row) =>
    columns.map(({ type }, index) => comparableOfValue(row[index] ?? null, type)),
  );
  return isOrdered
    ? matchInOrder(expectedRows, actualRows, tolerance)
    : matchRows(expectedRows, actualRows, tolerance);
}
