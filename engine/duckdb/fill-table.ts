import type { DuckDBConnection } from '@duckdb/node-api';
import { SqlError } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { SqlType, WarehouseKind } from '../core/sql-type.ts';
import { columnDefinition, declareTypes, describeType, duckdbType, lengthSql } from './column-types.ts';
import { quoteName } from './physical-name.ts';
import { writeJson } from './read-value.ts';
import type { Value } from './warehouse.ts';

/** A table of the connection, which receives the values as text before they are converted. */
const staging = 'temp.main.millrace_rows';

type Cells = readonly (readonly Value[])[];

/** A value that does not fit its column. `row` counts from 1. */
export class ValueError extends SqlError {
  readonly row: number;
  readonly column: string;

  constructor(message: string, { row, column }: { readonly row: number; readonly column: string }) {
    super(message);
    this.row = row;
    this.column = column;
  }
}

interface Filling {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly kind: WarehouseKind;
}

/** Creates a table and fills it. Run it in a transaction. */
export async function fillTable(connection: DuckDBConnection, given: Filling, rows: Cells): Promise<void> {
  const { table, columns, kind } = given;
  // Before the table is created: an outer transaction may catch the error and continue.
  await stage(connection, given, rows);
  const definitions = columns.map((column) => columnDefinition(column, kind));
  await connection.run(`CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`);
  for (const sql of declareTypes(table, columns)) await connection.run(sql);
  await insertStaged(connection, given);
}

/** Adds rows to an existing table. Run it in a transaction. */
export async function addRows(connection: DuckDBConnection, given: Filling, rows: Cells): Promise<void> {
  await stage(connection, given, rows);
  await insertStaged(connection, given);
}

async function stage(connection: DuckDBConnection, given: Filling, rows: Cells): Promise<void> {
  refuseColumns(given.columns);
  await stageRows(connection, given, rows);
  await refuseValues(connection, given);
}

async function insertStaged(connection: DuckDBConnection, { table, columns }: Filling): Promise<void> {
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  const values = columns.map(({ type }, index) => convertSql(`c${index}`, type)).join(', ');
  await connection.run(`INSERT INTO ${table} (${names}) SELECT ${values} FROM ${staging} ORDER BY row`);
  await connection.run(`DROP TABLE ${staging}`);
}

function refuseColumns(columns: readonly Column[]): void {
  if (columns.length === 0) throw new SqlError('a table needs at least one column');
  const known = new Map<string, string>();
  for (const { name } of columns) {
    const other = known.get(name.toLowerCase());
    if (other === name) throw new SqlError(`the column "${name}" appears twice`);
    if (other !== undefined) {
      throw new SqlError(
        `the columns "${other}" and "${name}" differ in case only, which the engine cannot store`,
      );
    }
    known.set(name.toLowerCase(), name);
  }
}

async function stageRows(
  connection: DuckDBConnection,
  { table, columns }: Filling,
  rows: Cells,
): Promise<void> {
  const list = columns.map((_, index) => `, c${index} VARCHAR`).join('');
  await connection.run(`CREATE OR REPLACE TEMP TABLE millrace_rows (row BIGINT${list})`);
  const appender = await connection.createAppender('millrace_rows', 'main', 'temp');
  try {
    for (const [index, row] of rows.entries()) {
      if (row.length !== columns.length) {
        throw new SqlError(
          `row ${index + 1} has ${row.length} values; the table ${table} has ${columns.length} columns`,
        );
      }
      appender.appendBigInt(BigInt(index + 1));
      for (const [place, column] of columns.entries()) {
        const text = textOf(row[place] ?? null, column, index);
        if (text === null) appender.appendNull();
        else appender.appendVarchar(text);
      }
      appender.endRow();
    }
  } finally {
    appender.closeSync();
  }
}

/** A value as the text that is then converted to the column's type. */
export function textOf(value: Value, { name, type }: Column, row: number): string | null {
  if (value === null) return null;
  if (type.name === 'VARIANT') return writeJson(value);
  if (typeof value === 'object') {
    const message = `row ${row + 1}: a list or a map is not a ${describeType(type)}, in column "${name}"`;
    throw new ValueError(message, { row: row + 1, column: name });
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Names the first value that does not fit: an error of the conversion would name no row. */
async function refuseValues(connection: DuckDBConnection, { table, columns, kind }: Filling): Promise<void> {
  const faults = columns.map(
    ({ type }, index) => `min(row) FILTER (WHERE ${isBadSql(`c${index}`, type, kind)})`,
  );
  const found = await connection.runAndReadAll(`SELECT ${faults.join(', ')} FROM ${staging}`);
  for (const [index, { name, type }] of columns.entries()) {
    const row = found.value(index, 0);
    if (row === null) continue;
    const read = await connection.runAndReadAll(
      `SELECT left(c${index}, 80) FROM ${staging} WHERE row = ${String(row)}`,
    );
    const text = String(read.value(0, 0));
    const message = `row ${String(row)}: "${text}" is not a ${describeType(type)}, in column ${quoteName(name)} of the table ${table}`;
    throw new ValueError(message, { row: Number(row), column: name });
  }
}

function isBadSql(value: string, type: SqlType, kind: WarehouseKind): string {
  const length = lengthSql(value, type, kind);
  if (length !== undefined) return `NOT (${length})`;
  if (type.name === 'BINARY') return `NOT regexp_full_match(${value}, '([0-9A-Fa-f]{2})*')`;
  return `${value} IS NOT NULL AND TRY_CAST(${value} AS ${duckdbType(type)}) IS NULL`;
}

/** Converts a text to a column's type. */
export function convertSql(value: string, type: SqlType): string {
  return type.name === 'BINARY' ? `unhex(${value})` : `CAST(${value} AS ${duckdbType(type)})`;
}
