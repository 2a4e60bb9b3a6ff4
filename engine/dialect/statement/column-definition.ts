import type { Column, TableName } from '../../core/relation.ts';
import { differsInTruth, type SqlType } from '../../core/sql-type.ts';
import type { Cursor } from '../parse/cursor.ts';
import { parseColumnType } from '../parse/type-name.ts';
import type { Name } from '../parse/tree.ts';
import { convert } from '../write/casts/convert.ts';
import { fullName } from '../write/query/from.ts';
import { duckType, type Typed, typeText } from '../write/sql/typed.ts';
import { fold, isOne, NO_NAMES, refusal, sqlError, type Writing } from '../write/sql/writing.ts';
import { readEncoding } from './options.ts';
import { type Counting, readIdentity } from './sequence.ts';
import { existingTable, expectColumn, refuseDoubleNames, targetColumn } from './statement.ts';

export interface Definition extends Column {
  readonly at: Name;
  readonly isRequired: boolean;
  /** Whether the column belongs to the primary key. */
  readonly isKey: boolean;
  /** The default value as an expression of DuckDB's SQL. Undefined if there is none. */
  readonly otherwise: string | undefined;
  /**
   * The start and increment of an identity column, whose values the warehouse generates. Undefined for any other
   * column.
   */
  readonly counting: Counting | undefined;
}

/** What a foreign key refers to. */
interface Reference {
  readonly at: number;
  readonly table: readonly Name[];
  readonly columns: readonly Name[];
}

/** The columns and keys inside the parentheses of CREATE TABLE. */
export interface Definitions {
  readonly columns: readonly Definition[];
  readonly references: readonly Reference[];
  /** The columns whose definition contains DISTKEY. */
  readonly distKeys: readonly Name[];
}

/** The keys that are read besides the columns. */
interface TableKeys {
  /** Where each primary key begins. */
  readonly primaryKeys: number[];
  readonly primary: Name[];
  readonly keys: Name[];
  readonly references: Reference[];
  readonly distKeys: Name[];
}

/** Parses the columns and keys of a new table. */
export function readDefinitions(cursor: Cursor, writing: Writing): Definitions {
  const tableKeys: TableKeys = { primaryKeys: [], primary: [], keys: [], references: [], distKeys: [] };
  const definitions = cursor.inParentheses(() =>
    cursor.list(() => readKey(cursor, tableKeys) ?? readDefinition(cursor, tableKeys, writing)),
  );
  const columns = definitions.filter((definition) => definition !== 'key');
  refuseDoubleNames(
    columns.map((column) => column.at),
    writing,
  );
  const [, second] = tableKeys.primaryKeys;
  if (second !== undefined)
    throw sqlError('a table can have only one primary key: remove the others', second, writing);
  const [, other] = columns.filter(({ counting }) => counting !== undefined);
  if (other && !isOne(writing))
    throw sqlError('a table can have only one identity column', other.at.at, writing);
  for (const name of [...tableKeys.primary, ...tableKeys.keys]) expectColumn(name, columns, writing);
  const required = new Set(tableKeys.primary.map((key) => fold(key, writing)));
  return {
    ...tableKeys,
    columns: columns.map((column) =>
      required.has(column.name) ? { ...column, isRequired: true, isKey: true } : column,
    ),
  };
}

/**
 * Checks that each foreign key refers to an existing table and existing columns. A foreign key may also refer to the
 * new table itself.
 */
export function checkReferences(definitions: Definitions, created: TableName, writing: Writing): void {
  for (const { at, table, columns } of definitions.references) {
    const name = fullName(table, writing);
    const isOwn =
      name.table === created.table && name.schema === created.schema && name.database === created.database;
    if (isOwn) for (const column of columns) expectColumn(column, definitions.columns, writing);
    else {
      const existing = existingTable(table, at, writing);
      for (const column of columns) targetColumn(existing, column, writing);
    }
  }
}

/** Keys are not enforced by either warehouse; the columns of a primary key must not be NULL. */
function readKey(cursor: Cursor, tableKeys: TableKeys): 'key' | undefined {
  if (cursor.takeWord('CONSTRAINT')) cursor.name();
  const { at } = cursor;
  const isPrimary = cursor.takeWord('PRIMARY', 'KEY');
  if (
    !isPrimary &&
    !(cursor.isWord('UNIQUE') && cursor.isOperator('(', 1)) &&
    !cursor.isWord('FOREIGN', 'KEY')
  )
    return undefined;
  const isUnique = !isPrimary && cursor.takeWord('UNIQUE');
  if (!isPrimary && !isUnique) cursor.expectWord('FOREIGN', 'KEY');
  const names = cursor.inParentheses(() => cursor.list(() => cursor.name()));
  if (isPrimary) tableKeys.primaryKeys.push(at);
  (isPrimary ? tableKeys.primary : tableKeys.keys).push(...names);
  if (!isPrimary && !isUnique) {
    if (!cursor.isWord('REFERENCES')) throw cursor.unexpected('REFERENCES');
    readReferences(cursor, tableKeys);
  }
  if (cursor.peek().kind === 'word')
    throw cursor.refusal(`the option ${cursor.peek().raw.toUpperCase()} of a key`, cursor.at, 'leave it out');
  return 'key';
}

function readReferences(cursor: Cursor, tableKeys: TableKeys): void {
  cursor.expectWord('REFERENCES');
  const { at } = cursor;
  const table = cursor.names();
  const columns = cursor.isOperator('(') ? cursor.inParentheses(() => cursor.list(() => cursor.name())) : [];
  tableKeys.references.push({ at, table, columns });
}

/** The options of one column, as they are read. */
interface Options {
  isRequired: boolean;
  isKey: boolean;
  otherwise: string | undefined;
  counting: Counting | undefined;
}

function readDefinition(cursor: Cursor, tableKeys: TableKeys, writing: Writing): Definition {
  const at = cursor.name('column');
  const type = parseColumnType(cursor);
  const options: Options = { isRequired: false, isKey: false, otherwise: undefined, counting: undefined };
  const seen = new Set<string>();
  for (;;) {
    const start = cursor.at;
    const option = readOption(cursor, { name: at, type, options, tableKeys }, writing);
    if (option === undefined) break;
    if (seen.has(option)) throw sqlError(`the option ${option} is given twice`, start, writing);
    seen.add(option);
    for (const [first, other] of EXCLUSIVE)
      if (seen.has(first) && seen.has(other))
        throw sqlError(
          `${first} and ${other} cannot be used together: leave one of them out`,
          start,
          writing,
        );
  }
  if (!cursor.isOperator(',') && !cursor.isOperator(')'))
    throw refusal(`the column option ${cursor.peek().raw.toUpperCase()}`, cursor.at, writing);
  return { name: fold(at, writing), type, at, ...options };
}

const EXCLUSIVE = [
  ['NULL', 'NOT NULL'],
  ['NULL', 'PRIMARY KEY'],
  ['DEFAULT', 'IDENTITY'],
] as const;

interface Place {
  readonly name: Name;
  readonly type: SqlType;
  readonly options: Options;
  readonly tableKeys: TableKeys;
}

/** The name of the option that was read; undefined for anything else. */
function readOption(cursor: Cursor, place: Place, writing: Writing): string | undefined {
  const { name, type, options, tableKeys } = place;
  const { at } = cursor;
  if (cursor.takeWord('NOT', 'NULL')) {
    options.isRequired = true;
    return 'NOT NULL';
  }
  if (cursor.takeWord('PRIMARY', 'KEY')) {
    options.isRequired = options.isKey = true;
    tableKeys.primaryKeys.push(at);
    return 'PRIMARY KEY';
  }
  if (cursor.takeWord('DEFAULT')) {
    options.otherwise = readDefault(cursor, type, writing);
    return 'DEFAULT';
  }
  if (cursor.isWord('REFERENCES')) {
    readReferences(cursor, tableKeys);
    return 'REFERENCES';
  }
  const counting = readIdentity(cursor, type);
  if (counting !== undefined) {
    options.counting = counting;
    return 'IDENTITY';
  }
  return isOne(writing) ? readOptionOfOne(cursor) : readOptionOfTwo(cursor, name, tableKeys);
}

function readOptionOfOne(cursor: Cursor): string | undefined {
  if (!cursor.takeWord('COMMENT')) return cursor.takeOneOf('NULL', 'UNIQUE');
  if (cursor.peek().kind !== 'text') throw cursor.unexpected('a text');
  cursor.next();
  return 'COMMENT';
}

function readOptionOfTwo(cursor: Cursor, name: Name, tableKeys: TableKeys): string | undefined {
  if (cursor.takeWord('ENCODE')) {
    readEncoding(cursor);
    return 'ENCODE';
  }
  const word = cursor.takeOneOf('NULL', 'UNIQUE', 'DISTKEY', 'SORTKEY');
  if (word === 'DISTKEY') tableKeys.distKeys.push(name);
  return word;
}

/** An expression without columns; DuckDB evaluates it for each row. */
function readDefault(cursor: Cursor, type: Column['type'], writing: Writing): string {
  const { at } = cursor;
  const stored = { ...writing, session: { ...writing.session, isStored: true } };
  return defaultSql(
    writing.session.expression(cursor.expression(), { ...stored, names: NO_NAMES }),
    type,
    at,
    writing,
  );
}

/**
 * The SQL of a column's default value. Throws SqlError if its type is not the column's type: unlike INSERT, DEFAULT
 * does not convert values.
 */
export function defaultSql(value: Typed, type: Column['type'], at: number, writing: Writing): string {
  if (differsInTruth(value, type, writing.session.context.warehouse))
    throw sqlError(
      `the column has the type ${typeText(type)}, but its default value has the type ${typeText(value.type)}: cast the default value`,
      at,
      writing,
    );
  if (type.name === 'VARIANT' && value.type.name === 'VARCHAR')
    throw refusal('text as the default of a semi-structured column', at, writing, 'use PARSE_JSON');
  return `CAST(${convert(value, type, at, writing).sql} AS ${duckType(type)})`;
}
