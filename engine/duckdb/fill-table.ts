import { shorten } from '../../lib/core/text/shorten.ts';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { inTurns, itemsOfPart, mapInParts, type LongWork } from '../../lib/core/ports/long-work.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { SqlError } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { SqlType, WarehouseKind } from '../core/sql-type.ts';
import {
  columnDefinition,
  declareTypes,
  describeType,
  duckdbType,
  lengthSql,
} from './catalog/column-types.ts';
import { quoteName } from './catalog/physical-name.ts';
import { appendChunks, chunksOf, type TablePlace } from './append-chunks.ts';
import type { Duckdb } from './connection/load-duckdb.ts';
import { writeJson } from './values/read-value.ts';
import { surelyFits } from './values/surely-fits.ts';
import { JsonNull } from '../core/json-null.ts';
import { LongDecimal } from '../core/long-decimal.ts';
import { WrittenJson } from '../core/written-json.ts';
import type { RowValue } from './connection/warehouse.ts';
import { expectedForm, readWritten } from './values/written-value.ts';

/** A table of the connection, which receives texts that may not fit before they are converted. */
const STAGING = 'millrace_rows';

/**
 * The name of a temporary table with staged rows, for DuckDB's SQL. Staged rows are not yet converted to the types of
 * their columns.
 */
export function stagingSql(name: string): string {
  return `temp.main.${name}`;
}

/** DuckDB converts this many rows at a time, which nothing interrupts. */
const rowsOfFlush = 8192;

export type Cells = readonly (readonly RowValue[])[];
type Texts = readonly (readonly (string | null)[])[];

/** Thrown if a value does not fit its column. `row` is the number of the row; the first row is 1. */
export class ValueError extends SqlError {
  readonly row: number;
  readonly column: string;

  constructor(message: string, { row, column }: { readonly row: number; readonly column: string }) {
    super(message);
    this.row = row;
    this.column = column;
  }
}

export interface Filling {
  /** The name of the table in DuckDB's SQL. */
  readonly table: string;
  readonly place: TablePlace;
  readonly columns: readonly Column[];
  readonly kind: WarehouseKind;
  readonly duckdb: Duckdb;
}

/** Creates a table and adds the rows to it. Call it inside a transaction. */
export async function fillTable(connection: DuckDBConnection, filling: Filling, rows: Cells): Promise<void> {
  const { table, columns, kind, duckdb } = filling;
  refuseColumns(columns);
  const definitions = columns.map((column) => columnDefinition(column, kind));
  const create = [
    `CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`,
    ...declareTypes(table, columns),
  ];
  const chunks = await inTurns(chunksOf(filling, rows));
  if (chunks !== undefined) {
    await connection.run(create.join('; '));
    await appendChunks(connection, duckdb, filling.place, chunks);
    return;
  }
  const texts = await inTurns(textsOf(filling, rows));
  // Before the table is created: an outer transaction may catch the error and continue.
  await stage(connection, filling, texts);
  await connection.run([...create, ...moveStaged(filling)].join('; '));
}

/** Adds rows to an existing table. Call it inside a transaction. */
export async function addRows(connection: DuckDBConnection, filling: Filling, rows: Cells): Promise<void> {
  refuseColumns(filling.columns);
  await stage(connection, filling, await inTurns(textsOf(filling, rows)));
  await connection.run(moveStaged(filling).join('; '));
}

/**
 * Adds rows to an existing table. Each row must have all columns of the table, in their order. Call it inside a
 * transaction.
 */
export async function addWholeRows(
  connection: DuckDBConnection,
  filling: Filling,
  rows: Cells,
): Promise<void> {
  const chunks = await inTurns(chunksOf(filling, rows));
  if (chunks !== undefined) await appendChunks(connection, filling.duckdb, filling.place, chunks);
  else await addRows(connection, filling, rows);
}

/**
 * Returns DuckDB's SQL for a value of the staged rows, converted to the type of its column. `place` is the index of
 * the column, and `alias` is the name of the staged table in that SQL.
 */
export type StagedValue = (place: number, alias?: string) => string;

/** Writes rows into a temporary table. Throws ValueError for a row with a value that does not fit its column. */
export async function stageRows(
  connection: DuckDBConnection,
  { name, columns, kind, duckdb }: { readonly name: string } & Pick<Filling, 'columns' | 'kind' | 'duckdb'>,
  rows: Cells,
): Promise<StagedValue> {
  const place = { database: 'temp', schema: 'main', table: name };
  const filling = { table: name, place, columns, kind, duckdb };
  const cell = (at: number, alias?: string) => `${alias === undefined ? '' : `${alias}.`}c${at}`;
  const chunks = await inTurns(chunksOf(filling, rows));
  if (chunks === undefined) {
    await stage(connection, filling, await inTurns(textsOf(filling, rows)), name);
    return (at, alias) => convertSql(cell(at, alias), columns[at]?.type ?? { name: 'NULL' });
  }
  const definitions = columns.map(({ type }, at) => `${cell(at)} ${duckdbType(type)}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${definitions.join(', ')})`);
  await appendChunks(connection, duckdb, place, chunks);
  return cell;
}

/** The statements that move the staged rows to their table. */
function moveStaged({ table, columns }: Filling): readonly string[] {
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  const values = columns.map(({ type }, index) => convertSql(`c${index}`, type)).join(', ');
  return [
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${stagingSql(STAGING)} ORDER BY row`,
    `DROP TABLE ${stagingSql(STAGING)}`,
  ];
}

function refuseColumns(columns: readonly Column[]): void {
  if (columns.length === 0) throw new SqlError('a table needs at least one column');
  const seenNames = new Map<string, string>();
  for (const { name } of columns) {
    const other = seenNames.get(name.toLowerCase());
    if (other === name) throw new SqlError(`two columns have the name "${name}"`);
    if (other !== undefined) {
      throw new SqlError(
        `the columns "${other}" and "${name}" differ only in upper and lower case, which the engine cannot distinguish: rename one of them`,
      );
    }
    seenNames.set(name.toLowerCase(), name);
  }
}

/** The values as texts. Throws SqlError for a row of another length. */
function* textsOf({ table, columns, kind }: Filling, rows: Cells): LongWork<Texts> {
  const readers = columns.map((column) => columnTexts(column, kind));
  return yield* mapInParts(rows, (row, index) => {
    if (row.length !== columns.length) {
      throw new SqlError(
        `row ${index + 1} has ${row.length} values, but the table ${table} has ${columns.length} columns`,
      );
    }
    return readers.map((read, place) => read(row[place] ?? null, index));
  });
}

/** Puts the texts into a table of texts, and refuses those that do not fit. */
async function stage(
  connection: DuckDBConnection,
  filling: Filling,
  texts: Texts,
  name = STAGING,
): Promise<void> {
  const list = filling.columns.map((_, index) => `, c${index} VARCHAR`).join('');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (row BIGINT${list})`);
  await append(connection, { database: 'temp', schema: 'main', table: name }, texts, { isNumbered: true });
  await refuseValues(connection, filling, stagingSql(name));
}

/** DuckDB converts the texts to the types of the table. */
async function append(
  connection: DuckDBConnection,
  place: TablePlace,
  texts: Texts,
  { isNumbered } = { isNumbered: false },
): Promise<void> {
  if (texts.length === 0) return;
  const appender = await connection.createAppender(place.table, place.schema, place.database);
  try {
    await inTurns(appendTexts(appender, texts, isNumbered));
  } finally {
    appender.closeSync();
  }
}

function* appendTexts(appender: DuckDBAppender, texts: Texts, isNumbered: boolean): LongWork<void> {
  for (const [index, row] of texts.entries()) {
    if (isNumbered) appender.appendVarchar(String(index + 1));
    for (const text of row) {
      if (text === null) appender.appendNull();
      else appender.appendVarchar(text);
    }
    appender.endRow();
    if (index % rowsOfFlush === rowsOfFlush - 1) appender.flushSync();
    if (index % itemsOfPart === 0) yield;
  }
}

function shapeOf(value: RowValue): 'ARRAY' | 'OBJECT' | undefined {
  if (
    typeof value !== 'object' ||
    value === null ||
    value instanceof LongDecimal ||
    value instanceof JsonNull ||
    value instanceof WrittenJson
  )
    return undefined;
  return Array.isArray(value) ? 'ARRAY' : 'OBJECT';
}

/**
 * Returns a function that converts each value of a column to a text, which SQL then converts to the type of the
 * column. That function throws ValueError for a value that the type cannot hold exactly, because SQL would round the
 * value or guess its meaning.
 */
export function columnTexts({ name, type }: Column, kind: WarehouseKind) {
  const fits = surelyFits(type, kind);
  return (value: RowValue, row: number): string | null => {
    if (value === null) return null;
    const fault = (what: string) => new ValueError(`row ${row + 1}: ${what}`, { row: row + 1, column: name });
    const typeAndColumn = `${describeType(type, kind)}, in column "${name}"`;
    if (type.name === 'VARIANT') {
      if (type.shape !== undefined && shapeOf(value) !== type.shape)
        throw fault(`${cut(writeJson(value))} is not an ${typeAndColumn}`);
      return writeJson(value);
    }
    if (typeof value === 'object') throw fault(`a list or a map is not a ${typeAndColumn}`);
    const text = Object.is(value, -0) ? '-0' : String(value);
    if (fits?.(text) === true) return text;
    const written = readWritten(text, type);
    if (written.text !== undefined) return written.text;
    const what = written.lost ?? 'is not a';
    throw fault(
      `"${cut(text)}" ${what} ${typeAndColumn}${written.lost === undefined ? expectedForm(type) : ''}`,
    );
  };
}

const maxShown = 80;

function cut(text: string): string {
  return visibleText(shorten(text, maxShown));
}

/** Names the first value that does not fit: an error of the conversion would name no row. */
async function refuseValues(
  connection: DuckDBConnection,
  { columns, kind }: Filling,
  staging: string,
): Promise<void> {
  const faults = columns.map(
    ({ type }, index) => `min(row) FILTER (WHERE ${isBadSql(`c${index}`, type, kind)})`,
  );
  const result = await connection.runAndReadAll(`SELECT ${faults.join(', ')} FROM ${staging}`);
  for (const [index, { name, type }] of columns.entries()) {
    const row = result.value(index, 0);
    if (row === null) continue;
    const read = await connection.runAndReadAll(
      `SELECT left(c${index}, 80) FROM ${staging} WHERE row = ${String(row)}`,
    );
    const text = String(read.value(0, 0));
    const message = `row ${String(row)}: "${text}" is not a ${describeType(type, kind)}, in column "${name}"`;
    throw new ValueError(message, { row: Number(row), column: name });
  }
}

function isBadSql(value: string, type: SqlType, kind: WarehouseKind): string {
  const length = lengthSql(value, type, kind);
  if (length !== undefined) return `NOT (${length})`;
  if (type.name === 'BINARY') return `NOT regexp_full_match(${value}, '([0-9A-Fa-f]{2})*')`;
  return `${value} IS NOT NULL AND TRY_CAST(${value} AS ${duckdbType(type)}) IS NULL`;
}

/** DuckDB's SQL that converts a text to the type of a column. */
export function convertSql(value: string, type: SqlType): string {
  return type.name === 'BINARY' ? `unhex(${value})` : `CAST(${value} AS ${duckdbType(type)})`;
}
