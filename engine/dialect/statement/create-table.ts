import { numberOf } from '../../../lib/core/text/number-of.ts';
import { columnDefinition, declareTypes, hasLength } from '../../duckdb/catalog/column-types.ts';
import { type ColumnLimits, replaceTableSql } from '../../duckdb/catalog/replace-table.ts';
import { nextValueSql, physicalTable } from '../../duckdb/catalog/physical-name.ts';
import type { TableName } from '../../core/relation.ts';
import type { TranslatedQuery } from '../../core/dialect.ts';
import type { Cursor } from '../parse/cursor.ts';
import type { Name } from '../parse/tree.ts';
import { findTable, fullName } from '../write/query/from.ts';
import { queryAs } from '../write/query/query.ts';
import { duckType, quoteName, TEXT } from '../write/sql/typed.ts';
import { fold, isOne, refusal, sqlError, type Writing } from '../write/sql/writing.ts';
import { checkReferences, type Definition, readDefinitions } from './column-definition.ts';
import { checkTableOptions, readTableOptions } from './options.ts';
import { identitySequence, replaceSequenceSql } from './sequence.ts';
import { type Change, refuseDoubleNames, refuseSimilarTable, takeIfMissing } from './statement.ts';

const COLUMNS_ONLY = 'write CREATE TABLE … AS SELECT, which copies no defaults and no NOT NULL';
const CLONE_NOW = 'the engine does not keep earlier versions of a table: clone the table as it is now';
/** Forms of CREATE TABLE that take the columns from elsewhere, and what to write instead. */
const COPIES = [
  ['LIKE', COLUMNS_ONLY],
  ['USING', 'the template is read from a file outside the warehouse: list the columns instead'],
] as const;

const NOTHING: Change = { sql: [], definesTables: false };

/**
 * Translates `CREATE [OR REPLACE] TABLE [IF NOT EXISTS] name (columns) | AS query | CLONE table`. The cursor is after
 * the word TABLE.
 */
export function writeCreateTable(cursor: Cursor, writing: Writing, isReplaced: boolean): Change {
  const ifMissing = takeIfMissing(cursor, isReplaced);
  const { at } = cursor;
  const name = fullName(cursor.names(), writing);
  const existing = writing.session.context.catalog.find(name);
  refuseSimilarTable(name, at, writing);
  for (const [word, hint] of COPIES)
    if (cursor.isWord(word)) throw refusal(`CREATE TABLE … ${word}`, cursor.at, writing, hint);
  const clone = isOne(writing) && cursor.takeWord('CLONE') ? readClone(cursor, writing) : undefined;
  const names = readNames(cursor, writing);
  const defined =
    clone === undefined && cursor.isOperator('(') ? readDefinitions(cursor, writing) : undefined;
  const definitions = clone?.columns ?? defined?.columns;
  const options = readTableOptions(cursor);
  if (names && !cursor.isWord('AS'))
    throw cursor.unexpected('AS and a query, because the columns have no types');
  if (definitions && !isOne(writing) && cursor.isWord('AS'))
    throw cursor.wrong(
      'the columns of CREATE TABLE … AS cannot have types: cast the values of the query instead',
    );
  const body = clone === undefined && cursor.takeWord('AS') ? cursor.query() : undefined;
  if (body || clone) cursor.expectEnd();
  else cursor.expectEndOfDefinition();
  const query = clone?.query ?? (body && writing.session.query(body, writing));
  if (existing && ifMissing) return NOTHING;
  const made = query && named(query, names, at, writing);
  if (defined) checkReferences(defined, name, writing);
  checkTableOptions(options, definitions ?? made?.columns ?? [], defined?.distKeys ?? [], writing);
  if (existing && !isReplaced) {
    const ofTable = isOne(writing)
      ? 'write OR REPLACE or IF NOT EXISTS'
      : 'drop it first, or write IF NOT EXISTS';
    const hint = existing.kind === 'table' ? ofTable : 'choose another name';
    throw sqlError(`the ${existing.kind} "${name.table}" exists already; ${hint}`, at, writing, 'exists');
  }
  if (made) return { sql: fromQuery(name, made, definitions, at, writing), definesTables: true };
  if (!definitions) throw cursor.unexpected('columns or AS');
  return { sql: emptyTable(name, definitions, writing), definesTables: true };
}

interface Clone {
  readonly query: TranslatedQuery;
  readonly columns: readonly Definition[];
}

/** After CLONE: a table whose rows, types, defaults, NOT NULL and primary key the new one gets. No page says from which number a copy counts. */
function readClone(cursor: Cursor, writing: Writing): Clone {
  const { at } = cursor;
  const parts = cursor.names();
  for (const word of ['AT', 'BEFORE'])
    if (cursor.isWord(word)) throw refusal(`CLONE … ${word}`, cursor.at, writing, CLONE_NOW);
  findTable(parts, at, writing);
  const table = writing.session.context.catalog.find(fullName(parts, writing));
  if (table === undefined || table.kind === 'view')
    throw sqlError(`"${table?.table ?? ''}" is a view, but CLONE can only copy tables`, at, writing);
  if ([...(table.rules?.values() ?? [])].some(({ otherwise = '' }) => /nextval/i.test(otherwise)))
    throw refusal('CLONE of a table with an identity column', at, writing, COLUMNS_ONLY);
  const columns = table.columns.map(({ name, type }) => ({
    name,
    type,
    at: { text: name, isQuoted: true, at },
    isRequired: table.rules?.get(name)?.isRequired === true,
    isKey: table.primaryKey?.includes(name) === true,
    otherwise: table.rules?.get(name)?.otherwise,
    counting: undefined,
  }));
  return { query: { sql: `SELECT * FROM ${table.sql}`, columns: table.columns, reads: [table] }, columns };
}

/** In CREATE TABLE … AS, the columns may have names without types. */
function readNames(cursor: Cursor, writing: Writing): readonly Name[] | undefined {
  if (!cursor.isOperator('(') || !(cursor.isOperator(',', 2) || cursor.isOperator(')', 2))) return undefined;
  const names = cursor.inParentheses(() => cursor.list(() => cursor.name()));
  refuseDoubleNames(names, writing);
  return names;
}

function named(
  query: TranslatedQuery,
  names: readonly Name[] | undefined,
  at: number,
  writing: Writing,
): TranslatedQuery {
  if (names === undefined) return query;
  checkCount(names.length, query, at, writing);
  const columns = query.columns.map(({ type }, index) => {
    const name = names[index];
    if (name === undefined) throw new Error('no such name');
    return { name: fold(name, writing), type };
  });
  const list = columns.map(({ name }) => quoteName(name)).join(', ');
  return {
    ...query,
    columns,
    sql: `SELECT * FROM (${query.sql}) AS ${writing.session.fresh('q')} (${list})`,
  };
}

function checkCount(count: number, query: TranslatedQuery, at: number, writing: Writing): void {
  if (count === query.columns.length) return;
  throw sqlError(
    `CREATE TABLE lists ${numberOf(count, 'column')}, but its query has ${query.columns.length}`,
    at,
    writing,
  );
}

function definitionText(table: TableName, column: Definition, writing: Writing): string {
  const { name, type, isRequired, counting } = column;
  const next = counting && `CAST(${nextValueSql(identitySequence(table, name))} AS ${duckType(type)})`;
  const otherwise = next ?? column.otherwise;
  const required = isRequired ? ' NOT NULL' : '';
  const suffix = otherwise === undefined ? '' : ` DEFAULT ${otherwise}`;
  return `${columnDefinition(column, writing.session.context.warehouse)}${required}${suffix}`;
}

function emptyTable(name: TableName, columns: readonly Definition[], writing: Writing): readonly string[] {
  const table = physicalTable(name);
  const { definitions, afterwards } = limitsOf(name, columns, writing);
  const create = `CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`;
  const sequences = columns.flatMap((column) =>
    column.counting ? [replaceSequenceSql(identitySequence(name, column.name), column.counting)] : [],
  );
  // A sequence that a table uses cannot be replaced.
  const before = sequences.length === 0 ? [] : [`DROP TABLE IF EXISTS ${table}`, ...sequences];
  return [...before, create, ...afterwards];
}

function limitsOf(
  name: TableName,
  columns: readonly Definition[],
  writing: Writing,
): ColumnLimits & { readonly definitions: readonly string[] } {
  return {
    definitions: columns.map((column) => definitionText(name, column, writing)),
    afterwards: declareTypes(
      physicalTable(name),
      columns,
      columns.flatMap((column) => (column.isKey ? [column.name] : [])),
      columns.find(({ counting }) => counting?.isAlways === true)?.name,
    ),
  };
}

function fromQuery(
  name: TableName,
  query: TranslatedQuery,
  definitions: readonly Definition[] | undefined,
  at: number,
  writing: Writing,
): readonly string[] {
  if (definitions) checkCount(definitions.length, query, at, writing);
  const counted = definitions?.find((column) => column.counting);
  if (counted) throw refusal('an identity column in CREATE TABLE … AS', counted.at.at, writing);
  const columns: readonly Definition[] =
    definitions ??
    query.columns.map((column) => ({
      name: column.name,
      type: column.type.name === 'NULL' ? TEXT : column.type,
      at: { text: column.name, isQuoted: true, at },
      isRequired: false,
      isKey: false,
      otherwise: undefined,
      counting: undefined,
    }));
  const rows = queryAs(query, columns, at, writing);
  const hasLimits = columns.some(
    (column) => column.isRequired || column.otherwise !== undefined || hasLength(column.type),
  );
  const table = physicalTable(name);
  const limits = limitsOf(name, columns, writing);
  return replaceTableSql(table, rows, hasLimits ? limits : { ...limits, definitions: undefined });
}
