import { didYouMean, onlyLooksLike } from '../../../lib/core/text/look-alike.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { storedName } from '../../components/find-column.ts';
import { tableText } from '../../components/find-table.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import type { Column, Table, TableName } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { ValueError } from '../../duckdb/fill-table.ts';
import type { Value, Warehouse } from '../../duckdb/connection/warehouse.ts';
import { unkept } from '../../duckdb/values/written-value.ts';
import { inferColumns } from './infer-columns.ts';
import {
  type Mock,
  mockError,
  MockError,
  type MockFault,
  type MockRow,
  type MockRows,
  WrittenCell,
} from './mock.ts';
import { targetTable } from './outside-types.ts';
import { readTableText } from '../task/read-table-text.ts';
import type { Task, TaskResult } from '../task/task.ts';

/** Applies a mock instead of running the component: adds rows to tables, and sets variables. */
export async function applyMock(task: Task, mock: Mock): Promise<TaskResult> {
  const tables = [...(mock.tables ?? [])].map(([text, rows]): Added => {
    const fault = { part: 'tables', name: text } as const;
    try {
      return [readTableText(text, task.dialect.defaults), rows, fault];
    } catch (error) {
      throw mockError(error, fault);
    }
  });
  if (mock.rows !== undefined) {
    const target = targetTable(task);
    if (target === undefined) {
      const message = 'the mock has `rows`, but the component has no target table; use `tables` instead';
      throw new MockError(message, { part: 'rows' });
    }
    tables.push([target, { rows: mock.rows }, { part: 'rows' }]);
  }
  await addRows(tables, { warehouse: task.warehouse, kind: task.dialect.warehouse });
  for (const [name, value] of mock.variables ?? []) {
    const refusal =
      typeof value === 'string' ? task.variables.set(name, value) : task.variables.setGrid(name, value);
    if (refusal !== undefined) throw new MockError(refusal, { part: 'variables', name });
  }
  const count = tables.reduce((sum, [, { rows }]) => sum + rows.length, 0);
  const added = tables.length === 0 ? '' : `: ${numberOf(count, 'row')} added`;
  return {
    message: mock.message ?? `Mocked${added}.`,
    rowsWritten: tables.length === 0 ? undefined : count,
  };
}

/** Rows for a table, with the part of a mock that has them. */
type Added = readonly [table: TableName, rows: MockRows, fault: MockFault];

interface Place {
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
}

/** Adds rows to tables: either all rows are added or none. Creates a table that does not exist. Throws MockError. */
export async function addRows(tables: readonly Added[], place: Place): Promise<void> {
  await place.warehouse.transaction(async () => {
    for (const [name, rows, fault] of tables) {
      try {
        await addTo(name, rows, place);
      } catch (error) {
        throw mockError(error, fault);
      }
    }
  });
}

async function addTo(name: TableName, mock: MockRows, { warehouse, kind }: Place): Promise<void> {
  const { catalog } = warehouse;
  const table = catalog.find(name);
  if (table !== undefined && mock.rows.length === 0) return;
  const similar = table === undefined ? catalog.findIgnoringCase(name) : undefined;
  if (similar !== undefined) {
    const hint = 'their names differ only in upper and lower case: rename one of them';
    throw new Refusal(`the tables ${tableText(similar)} and ${tableText(name)}`, undefined, hint);
  }
  if (table === undefined) {
    const others = catalog.list(name.database, name.schema).map((other) => other.table);
    const alike = others.find((other) => onlyLooksLike(other, name.table));
    if (alike !== undefined)
      throw new SqlError(
        `the table "${visibleText(name.table)}" does not exist; ${didYouMean(name.table, alike)}`,
      );
    const columns = mock.columns ?? inferColumns(mock.rows, kind);
    await warehouse.createTable(name, columns, cellsOf(mock.rows, columns));
    return;
  }
  if (table.kind === 'view')
    throw new SqlError(`${tableText(name)} is a view, and rows cannot be added to a view; name a table`);
  // The table has the types: the values need not show any.
  const written = mock.columns ?? namesOf(mock.rows);
  const targetColumns = written.map((column) => columnOf(table, column.name, { kind, rows: mock.rows }));
  await warehouse.insertRows(table, targetColumns, cellsOf(mock.rows, targetColumns, written));
}

function namesOf(rows: readonly MockRow[]): readonly Pick<Column, 'name'>[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => ({ name }));
}

function columnOf(
  table: Table,
  written: string,
  { kind, rows }: { readonly kind: WarehouseKind; readonly rows: readonly MockRow[] },
): Column {
  const name = storedName(written, kind);
  const exact = table.columns.find((column) => column.name === name);
  if (exact !== undefined) return exact;
  const similar = table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const meant = closestWord(
    name,
    table.columns.map((column) => column.name),
  );
  const others = meant === undefined ? '' : `; ${didYouMean(name, meant)}`;
  const hint = similar === undefined ? others : `; it has "${similar.name}": upper and lower case differ`;
  const row =
    1 +
    Math.max(
      0,
      rows.findIndex((cells) => Object.hasOwn(cells, written)),
    );
  throw new ValueError(`the table ${tableText(table)} has no column "${visibleText(name)}"${hint}`, {
    row,
    column: name,
  });
}

/**
 * Converts rows to lists of values in the order of the table's columns. `written` maps the names that the rows use to
 * the columns.
 */
export function cellsOf(
  rows: readonly MockRow[],
  columns: readonly Column[],
  written: readonly Pick<Column, 'name'>[] = columns,
): readonly (readonly Value[])[] {
  const names = new Set(written.map(({ name }) => name));
  return rows.map((row, index) => {
    const unknown = Object.keys(row).find((name) => !names.has(name));
    if (unknown !== undefined) {
      throw new ValueError(
        `row ${index + 1} of the mock has a column "${unknown}" that \`columns\` does not list`,
        { row: index + 1, column: unknown },
      );
    }
    return written.map(({ name }, place) => {
      const cell = Object.hasOwn(row, name) ? (row[name] ?? null) : null;
      if (!(cell instanceof WrittenCell)) return cell;
      const value = cell.valueFor(columns[place]?.type ?? cell.type);
      if (value !== undefined) return value;
      throw new ValueError(`row ${index + 1}: ${unkept(cell.text, name)}`, { row: index + 1, column: name });
    });
  });
}
