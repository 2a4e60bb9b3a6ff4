import { storedName } from '../components/find-column.ts';
import { tableText } from '../components/find-table.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import type { Column, Table, TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import type { Value, Warehouse } from '../duckdb/warehouse.ts';
import { inferColumns } from './infer-columns.ts';
import type { Mock, MockRow, MockRows } from './mock.ts';
import { targetTable } from './outside-types.ts';
import { readTableText } from './read-table-text.ts';
import type { Task, TaskResult } from './task.ts';

/** Does what a mock says instead of the component: adds rows to tables, sets variables. */
export async function applyMock(task: Task, mock: Mock): Promise<TaskResult> {
  const tables = [...(mock.tables ?? [])].map(([text, rows]): readonly [TableName, MockRows] => [
    readTableText(text, task.dialect.defaults),
    rows,
  ]);
  if (mock.rows !== undefined) {
    const target = targetTable(task);
    if (target === undefined) {
      throw new SqlError('the mock has `rows`, but the component has no target table: use `tables`');
    }
    tables.push([target, { rows: mock.rows }]);
  }
  await addRows(tables, { warehouse: task.warehouse, kind: task.dialect.warehouse });
  for (const [name, value] of mock.variables ?? []) {
    const refusal =
      typeof value === 'string' ? task.variables.set(name, value) : task.variables.setGrid(name, value);
    if (refusal !== undefined) throw new SqlError(refusal);
  }
  const count = tables.reduce((sum, [, { rows }]) => sum + rows.length, 0);
  const added = tables.length === 0 ? '' : `: ${count} ${count === 1 ? 'row' : 'rows'} added`;
  return {
    message: mock.message ?? `Mocked${added}.`,
    rowsWritten: tables.length === 0 ? undefined : count,
  };
}

interface Place {
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
}

/** Adds rows to tables, all or none; a missing table is created. Throws Refusal and SqlError. */
export async function addRows(
  tables: readonly (readonly [TableName, MockRows])[],
  place: Place,
): Promise<void> {
  await place.warehouse.transaction(async () => {
    for (const [name, rows] of tables) await addTo(name, rows, place);
  });
}

async function addTo(name: TableName, given: MockRows, { warehouse, kind }: Place): Promise<void> {
  const { catalog } = warehouse;
  const table = catalog.find(name);
  const similar = table === undefined ? catalog.findIgnoringCase(name) : undefined;
  if (similar !== undefined) {
    const hint = 'their names differ in case only';
    throw new Refusal(`the tables ${tableText(similar)} and ${tableText(name)}`, undefined, hint);
  }
  const columns = given.columns ?? inferColumns(given.rows);
  if (table === undefined) {
    await warehouse.createTable(name, columns, cellsOf(given.rows, columns));
    return;
  }
  if (table.kind === 'view') throw new SqlError(`${tableText(name)} is a view: it cannot receive rows`);
  const known = columns.map((column) => columnOf(table, storedName(column.name, kind)));
  await warehouse.insertRows(table, known, cellsOf(given.rows, columns));
}

function columnOf(table: Table, name: string): Column {
  const found = table.columns.find((column) => column.name === name);
  if (found !== undefined) return found;
  const similar = table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const hint = similar === undefined ? '' : `; it has "${similar.name}": the case differs`;
  throw new SqlError(`the table ${tableText(table)} has no column "${name}"${hint}`);
}

/** The rows as lists of values in the order of the columns. */
export function cellsOf(rows: readonly MockRow[], columns: readonly Column[]): readonly (readonly Value[])[] {
  const names = new Set(columns.map(({ name }) => name));
  return rows.map((row, index) => {
    const unknown = Object.keys(row).find((name) => !names.has(name));
    if (unknown !== undefined) {
      throw new SqlError(
        `row ${index + 1} of the mock has a column "${unknown}" that \`columns\` does not list`,
      );
    }
    return columns.map(({ name }) => (Object.hasOwn(row, name) ? (row[name] ?? null) : null));
  });
}
