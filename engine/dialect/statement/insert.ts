import type { Column, Table } from '../../core/relation.ts';
import type { SqlType } from '../../core/sql-type.ts';
import type { Cursor } from '../parse/cursor.ts';
import type { Expression } from '../parse/tree.ts';
import { computedOnce } from '../write/sql/computed-once.ts';
import { convert } from '../write/casts/convert.ts';
import { writeConstant } from '../write/query/constants.ts';
import { typesOfRows } from '../write/query/values.ts';
import { has } from '../write/query/correlation.ts';
import { duckType, isDateLike, isNumeric, quoteName, type Typed, typeText } from '../write/sql/typed.ts';
import { isOne, refusal, sqlError, type Writing } from '../write/sql/writing.ts';
import {
  type Change,
  readTarget,
  refuseDoubleNames,
  refuseIdentityValue,
  targetColumn,
} from './statement.ts';

/** Translates `INSERT [OVERWRITE] INTO table [(columns)] query`. */
export function writeInsert(cursor: Cursor, writing: Writing): Change {
  const { at } = cursor;
  const isOverwrite = cursor.takeWord('OVERWRITE');
  cursor.expectWord('INTO');
  const { table } = readTarget(cursor, writing, () => undefined);
  if (!isOne(writing) && cursor.takeWord('DEFAULT', 'VALUES')) {
    cursor.expectEnd();
    return { sql: [`INSERT INTO ${table.sql} DEFAULT VALUES`], definesTables: false };
  }
  const isListed = cursor.isOperator('(');
  const listed = readColumns(cursor, table, writing);
  const cells = cursor.takeWord('VALUES') ? readValues(cursor, writing) : undefined;
  // In `WAREHOUSE_TWO`, there may be values for the first columns only.
  const isShort = cells !== undefined && !isListed && !isOne(writing);
  const columns = isShort ? listed.slice(0, cells[0]?.length) : listed;
  for (const [index, column] of columns.entries())
    if (!(cells ?? []).length || (cells ?? []).some((row) => row[index] !== DEFAULT))
      refuseIdentityValue(table, column, at, writing);
  const rows = cells ? valuesText(cells, columns, at, writing) : queryText(cursor, columns, table, writing);
  const list = columns.map((column) => quoteName(column.name)).join(', ');
  const insert = `INSERT INTO ${table.sql} (${list}) `;
  if (!isOverwrite) return { sql: [insert + rows], definesTables: false };
  if (writing.session.reads.has(table.sql))
    throw refusal('INSERT OVERWRITE of a table that the query reads', at, writing);
  return { sql: [`DELETE FROM ${table.sql}`, insert + rows], definesTables: false };
}

function readColumns(cursor: Cursor, table: Table, writing: Writing): readonly Column[] {
  if (!cursor.isOperator('(') || ['SELECT', 'WITH'].includes(cursor.peek(1).value)) return table.columns;
  const names = cursor.inParentheses(() => cursor.list(() => cursor.name()));
  refuseDoubleNames(names, writing);
  return names.map((name) => targetColumn(table, name, writing));
}

/** DuckDB's word is the same. */
const DEFAULT = 'DEFAULT';

/** A value, or DEFAULT, which cannot be a part of one. */
function parseCell(cursor: Cursor): Cell {
  const isWhole = cursor.isOperator(',', 1) || cursor.isOperator(')', 1);
  return isWhole && cursor.takeWord(DEFAULT) ? DEFAULT : cursor.expression();
}

function hasSubquery(cell: Cell): cell is Expression {
  return cell !== DEFAULT && has(cell, ({ kind }) => kind === 'subquery');
}

type Cell = Expression | typeof DEFAULT;

function readValues(cursor: Cursor, writing: Writing): readonly (readonly Cell[])[] {
  const rows = cursor.list(() => cursor.inParentheses(() => cursor.list(() => parseCell(cursor))));
  cursor.expectEnd();
  const nested = !isOne(writing) && rows.length > 1 ? rows.flat().find(hasSubquery) : undefined;
  if (nested)
    throw refusal('a subquery in one of several rows of VALUES', nested.at, writing, 'write INSERT … SELECT');
  return rows;
}

function valuesText(
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
  at: number,
  writing: Writing,
): string {
  const written = rows.map((row) => {
    checkCount(row.length, columns, at, writing);
    return row.map((cell) =>
      cell === DEFAULT ? undefined : writeConstant(cell, 'INSERT … SELECT', writing),
    );
  });
  const types = columnTypes(written, columns, at, writing);
  const lines = written.map((row, line) => {
    const cells = columns.map((column, index) => {
      const value = row[index];
      const cell = rows[line]?.[index];
      if (value === undefined || cell === undefined || cell === DEFAULT) return DEFAULT;
      const type = types[index];
      const shared = type === undefined ? value : convert(value, type, cell.at, writing);
      return stored(shared, column, cell.at, writing);
    });
    return `(${cells.join(', ')})`;
  });
  return `VALUES ${lines.join(', ')}`;
}

/**
 * In `WAREHOUSE_ONE`, the values of all rows get the type that they have in common before the table takes them,
 * although it would take each alone. `undefined` for a column where this makes no difference.
 */
function columnTypes(
  rows: readonly (readonly (Typed | undefined)[])[],
  columns: readonly Column[],
  at: number,
  writing: Writing,
): readonly (SqlType | undefined)[] {
  if (!isOne(writing) || rows.length < 2) return [];
  return columns.map(({ type }, index) => {
    const cells = rows.map((row) => [row[index]]);
    const isKept = (of: (type: SqlType) => boolean): boolean =>
      of(type) && cells.every(([cell]) => cell === undefined || isText(cell.type) || of(cell.type));
    return isKept(isNumeric) || isKept(isDateLike) ? undefined : typesOfRows(cells, at, writing)[0];
  });
}

function isText({ name }: SqlType): boolean {
  return name === 'VARCHAR' || name === 'NULL';
}

function queryText(cursor: Cursor, columns: readonly Column[], table: Table, writing: Writing): string {
  const { at } = cursor;
  const body = cursor.query();
  cursor.expectEnd();
  const query = writing.session.query(body, writing);
  checkCount(query.columns.length, columns, at, writing, explainMismatch(query.columns, table, writing));
  const sqlAlias = writing.session.fresh('q');
  const cells = columns.map((column, index) => {
    const from = query.columns[index] ?? column;
    return stored({ sql: `${sqlAlias}.${quoteName(from.name)}`, type: from.type }, column, at, writing);
  });
  return `SELECT ${cells.join(', ')} FROM (${query.sql}) AS ${sqlAlias}`;
}

function checkCount(
  count: number,
  columns: readonly Column[],
  at: number,
  writing: Writing,
  explanation = '',
): void {
  if (count === columns.length) return;
  throw sqlError(`INSERT has ${count} values for ${columns.length} columns${explanation}`, at, writing);
}

/** The longest list of columns in a message. */
const LONG_LIST = 100;

function explainMismatch(queryColumns: readonly Column[], table: Table, { session }: Writing): string {
  const of = ` of the table "${table.database}"."${table.schema}"."${table.table}"`;
  if (queryColumns.length > LONG_LIST) return of;
  const columns = queryColumns.map(
    ({ name, type }) => `${quoteName(name)} ${typeText(type, session.context.warehouse)}`,
  );
  return `${of}; the query gives ${columns.join(', ')}`;
}

/**
 * Converts a value to the column's type, as storing it does. If a text is too long, the table's own check reports an
 * error.
 */
export function stored(value: Typed, column: Column, at: number, writing: Writing): string {
  if (column.type.name === 'VARIANT' && value.type.name === 'VARCHAR')
    throw refusal('text in a semi-structured column', at, writing, 'use PARSE_JSON');
  const sql = withoutExtraBlanks(convert(value, column.type, at, writing).sql, value, column, writing);
  return `CAST(${sql} AS ${duckType(column.type)})`;
}

/** `WAREHOUSE_TWO` cuts a text that is too long for its column if it cuts only blanks. */
function withoutExtraBlanks(sql: string, value: Typed, { type }: Column, writing: Writing): string {
  if (isOne(writing) || type.name !== 'VARCHAR' || type.length === undefined) return sql;
  const { length } = type;
  if (value.type.name === 'VARCHAR' && value.type.length !== undefined && value.type.length <= length)
    return sql;
  return computedOnce(sql, writing, (text) => {
    const trimmed = `rtrim(${text}, ' ')`;
    const bytes = (of: string) => `octet_length(encode(${of}))`;
    const isCut = `ends_with(${text}, ' ') AND ${bytes(text)} > ${length} AND ${bytes(trimmed)} <= ${length}`;
    return `CASE WHEN ${isCut} THEN ${trimmed} || repeat(' ', ${length} - ${bytes(trimmed)}) ELSE ${text} END`;
  });
}
