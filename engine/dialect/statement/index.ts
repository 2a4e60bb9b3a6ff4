import type { WarehouseKind } from '../../core/sql-type.ts';
import { physicalSchema, quoteName } from '../../duckdb/catalog/physical-name.ts';
import type { TranslatedStatement } from '../../core/dialect.ts';
import type { Cursor } from '../parse/cursor.ts';
import { maybeStatement, meantStatement } from '../parse/known-words.ts';
import type { ScriptPart } from '../parse/tokenize.ts';
import type { Query } from '../parse/tree.ts';
import { NO_NAMES, type Session, sqlError, type Writing } from '../write/sql/writing.ts';
import { writeCreateTable } from './create-table.ts';
import { writeAlterTable, writeCreateView, writeTruncate } from './define.ts';
import { schemaName, writeDrop, writeDropSchema } from './drop.ts';
import { readWithoutEffect } from './form-without-effect.ts';
import { writeCreateFunction, writeDropFunction } from './function.ts';
import { writeInsert } from './insert.ts';
import { writeInsertAll } from './insert-all.ts';
import { writeMerge } from './merge.ts';
import { noEffect } from './no-effect.ts';
import { writeCreateSequence, writeDropSequence } from './sequence.ts';
import type { Change, StatementWriter } from './statement.ts';
import { writeDelete, writeUpdate } from './update.ts';

/** The first words of statements that only `WAREHOUSE_ONE` has, and what `WAREHOUSE_TWO` has for them. */
const OF_ONE: readonly (readonly [string, string])[] = [
  ['CREATE OR REPLACE TABLE', 'write DROP TABLE IF EXISTS, and then CREATE TABLE'],
  ['CREATE OR REPLACE TRANSIENT TABLE', 'write DROP TABLE IF EXISTS, and then CREATE TABLE'],
  ['CREATE TRANSIENT TABLE', 'write CREATE TABLE'],
  ['CREATE OR REPLACE SCHEMA', 'write DROP SCHEMA IF EXISTS, and then CREATE SCHEMA'],
  ['CREATE OR REPLACE TRANSIENT SCHEMA', 'write DROP SCHEMA IF EXISTS, and then CREATE SCHEMA'],
  ['CREATE TRANSIENT SCHEMA', 'write CREATE SCHEMA'],
  ['CREATE OR REPLACE DATABASE', 'the warehouse has no such statement'],
  ['CREATE OR REPLACE TRANSIENT DATABASE', 'the warehouse has no such statement'],
  ['CREATE TRANSIENT DATABASE', 'write CREATE DATABASE'],
  ['CREATE SEQUENCE', 'the warehouse has no sequences; use a column with IDENTITY'],
  ['CREATE OR REPLACE SEQUENCE', 'the warehouse has no sequences; use a column with IDENTITY'],
  ['DROP SEQUENCE', 'the warehouse has no sequences; use a column with IDENTITY'],
  // `WAREHOUSE_TWO` numbers the parameters.
  ['CREATE FUNCTION', 'mock the component'],
  ['CREATE OR REPLACE FUNCTION', 'mock the component'],
  ['INSERT OVERWRITE', 'write DELETE or TRUNCATE, and then INSERT'],
  ['INSERT ALL', 'write an INSERT for each table'],
  ['INSERT FIRST', 'write an INSERT for each table'],
];

function refuseOfOne(cursor: Cursor): void {
  const [words, hint] = OF_ONE.find(([first]) => cursor.isWord(...first.split(' '))) ?? [];
  if (words !== undefined && cursor.warehouse !== 'WAREHOUSE_ONE')
    throw cursor.refusal(words, cursor.at, hint);
}

/** Statements by their first words. */
const WRITERS: readonly (readonly [string, StatementWriter])[] = [
  ...insertsIntoMany(),
  ['INSERT', writeInsert],
  ['UPDATE', writeUpdate],
  ['DELETE', writeDelete],
  ['MERGE', writeMerge],
  ['TRUNCATE', writeTruncate],
  ['CREATE TABLE', (cursor, writing) => writeCreateTable(cursor, writing, false)],
  ['CREATE TRANSIENT TABLE', (cursor, writing) => writeCreateTable(cursor, writing, false)],
  ['CREATE OR REPLACE TABLE', (cursor, writing) => writeCreateTable(cursor, writing, true)],
  ['CREATE OR REPLACE TRANSIENT TABLE', (cursor, writing) => writeCreateTable(cursor, writing, true)],
  ['CREATE VIEW', (cursor, writing) => writeCreateView(cursor, stored(writing), false)],
  ['CREATE OR REPLACE VIEW', (cursor, writing) => writeCreateView(cursor, stored(writing), true)],
  ['CREATE SEQUENCE', (cursor, writing) => writeCreateSequence(cursor, writing, false)],
  ['CREATE OR REPLACE SEQUENCE', (cursor, writing) => writeCreateSequence(cursor, writing, true)],
  ['DROP SEQUENCE', writeDropSequence],
  ['CREATE FUNCTION', (cursor, writing) => writeCreateFunction(cursor, writing, false)],
  ['CREATE OR REPLACE FUNCTION', (cursor, writing) => writeCreateFunction(cursor, writing, true)],
  ['DROP FUNCTION', writeDropFunction],
  ['DROP TABLE', (cursor, writing) => writeDrop(cursor, writing, 'table')],
  ['DROP VIEW', (cursor, writing) => writeDrop(cursor, writing, 'view')],
  ['DROP SCHEMA', writeDropSchema],
  ['ALTER TABLE', writeAlterTable],
];

function insertsIntoMany(): readonly (readonly [string, StatementWriter])[] {
  const all = (words: string, isFirst: boolean, isOverwrite: boolean) =>
    [
      words,
      (cursor: Cursor, writing: Writing) => writeInsertAll(cursor, writing, { isFirst, isOverwrite }),
    ] as const;
  return [
    all('INSERT ALL', false, false),
    all('INSERT FIRST', true, false),
    all('INSERT OVERWRITE ALL', false, true),
    all('INSERT OVERWRITE FIRST', true, true),
  ];
}

/** The statements that the engine runs, by their first words, for the documentation. */
export function statementNames(warehouse: WarehouseKind): readonly string[] {
  const others = [
    'SELECT',
    'WITH',
    'SET',
    'CREATE SCHEMA',
    'CREATE OR REPLACE SCHEMA',
    'CREATE DATABASE',
    'CREATE OR REPLACE DATABASE',
    'USE SCHEMA',
    'USE DATABASE',
  ];
  const all = [...others, ...WRITERS.map(([words]) => words)];
  const missing = ['SET', 'USE SCHEMA', 'USE DATABASE', ...OF_ONE.map(([words]) => words)];
  const isMissing = (name: string) => missing.some((words) => `${name} `.startsWith(`${words} `));
  return warehouse === 'WAREHOUSE_ONE' ? all : all.filter((name) => !isMissing(name));
}

function stored(writing: Writing): Writing {
  return { ...writing, session: { ...writing.session, isStored: true } };
}

/**
 * Translates one statement of a script. There are two results if a statement changes both data and the default
 * database or schema.
 */
export function writeStatement(
  cursor: Cursor,
  session: Session,
  part: ScriptPart,
): readonly TranslatedStatement[] {
  const writing: Writing = { session, names: NO_NAMES, commonTables: new Map() };
  const { text, offset } = part;
  const change = ({ sql, definesTables }: Change): TranslatedStatement => ({
    kind: 'change',
    sql,
    definesTables,
    text,
    offset,
  });
  if (cursor.isWord('SELECT') || cursor.isWord('WITH') || cursor.isOperator('(')) {
    const query = cursor.query();
    cursor.expectEnd();
    const { sql, columns } = session.query(query, writing);
    return [{ kind: 'query', query: { sql, columns, reads: [...session.reads.values()] }, text, offset }];
  }
  const set = readSet(cursor);
  if (set !== undefined) {
    const { sql, columns } = session.query(set, writing);
    return [{ kind: 'query', query: { sql, columns, reads: [...session.reads.values()] }, text, offset }];
  }
  refuseOfOne(cursor);
  const what = noEffect(cursor);
  if (what !== undefined) {
    readWithoutEffect(cursor, what, writing);
    return [{ kind: 'no-effect', what, text, offset }];
  }
  const created = writeCreateSchema(cursor, writing);
  if (created)
    return [
      change(created.change),
      ...created.defaults.map((names) => ({ kind: 'defaults' as const, ...names, text, offset })),
    ];
  const defaults = readUse(cursor, writing);
  if (defaults) return [{ kind: 'defaults', ...defaults, text, offset }];
  for (const [words, writer] of WRITERS)
    if (cursor.takeWord(...words.split(' '))) return [change(writer(cursor, writing))];
  const first = cursor.peek();
  if (!maybeStatement(first)) throw cursor.syntaxError(meantStatement(first));
  throw cursor.refusal(firstWords(cursor), cursor.at, 'mock the component');
}

/** `SET name = value` only computes the value: a later `$name` is refused. */
function readSet(cursor: Cursor): Query | undefined {
  const { at } = cursor;
  if (cursor.warehouse !== 'WAREHOUSE_ONE' || !cursor.takeWord('SET')) return undefined;
  if (cursor.isOperator('(')) throw cursor.refusal('SET of several variables', at);
  const alias = cursor.name();
  cursor.expectOperator('=');
  const value = cursor.expression();
  cursor.expectEnd();
  return {
    at,
    isRecursive: false,
    tables: [],
    body: {
      kind: 'select',
      at,
      isDistinct: false,
      items: [{ kind: 'value', value, alias }],
      from: undefined,
      where: undefined,
      groups: undefined,
      having: undefined,
      qualify: undefined,
    },
    order: [],
    limit: undefined,
    offset: undefined,
  };
}

/** Verbs that say nothing without their object. */
const VERBS = new Set(['CREATE', 'ALTER', 'DROP', 'COPY', 'EXECUTE']);

/** As many words as name the statement: `COPY INTO`, `CALL`, `CREATE OR REPLACE PROCEDURE`. */
function firstWords(cursor: Cursor): string {
  const first = cursor.peek();
  const count = cursor.isWord('CREATE', 'OR', 'REPLACE') ? 4 : VERBS.has(first.value) ? 2 : 1;
  const words = Array.from({ length: count }, (_, ahead) => cursor.peek(ahead));
  return words
    .filter((token, index) => index === 0 || token.kind === 'word')
    .map((token) => token.value)
    .join(' ');
}

interface Names {
  readonly database?: string;
  readonly schema?: string;
}

const DATABASE_WORDS = [['DATABASE'], ['TRANSIENT', 'DATABASE']] as const;
const SCHEMA_WORDS = [['SCHEMA'], ['TRANSIENT', 'SCHEMA']] as const;

/** A new schema or database becomes the current one in one kind of warehouse. */
function writeCreateSchema(
  cursor: Cursor,
  writing: Writing,
): { change: Change; defaults: readonly Names[] } | undefined {
  const isReplaced = cursor.isWord('CREATE', 'OR', 'REPLACE');
  const head = isReplaced ? ['CREATE', 'OR', 'REPLACE'] : ['CREATE'];
  const isDatabase = [...DATABASE_WORDS].some((words) => cursor.takeWord(...head, ...words));
  const isSchema = !isDatabase && [...SCHEMA_WORDS].some((words) => cursor.takeWord(...head, ...words));
  if (!isDatabase && !isSchema) return undefined;
  const { at } = cursor;
  const ifMissing = cursor.takeWord('IF', 'NOT', 'EXISTS') ? 'IF NOT EXISTS ' : '';
  const isKindOne = cursor.warehouse === 'WAREHOUSE_ONE';
  const named = schemaName(cursor, writing);
  cursor.expectEndOfDefinition();
  const names = isDatabase ? { database: named.schema, schema: isKindOne ? 'PUBLIC' : 'public' } : named;
  const { database } = names;
  const schemas = isDatabase
    ? (writing.session.context.catalog.schemaNames?.(database) ?? [])
    : [names.schema];
  if (isDatabase && !isReplaced && schemas.length > 0) {
    if (ifMissing === '') throw sqlError(`the database "${database}" exists already`, at, writing, 'exists');
    return { change: { sql: [], definesTables: false }, defaults: isKindOne ? [names] : [] };
  }
  const physical = (schema: string) => quoteName(physicalSchema(database, schema));
  const sql = [
    ...(isReplaced ? schemas.map((schema) => `DROP SCHEMA IF EXISTS ${physical(schema)} CASCADE`) : []),
    `CREATE SCHEMA ${ifMissing}${physical(names.schema)}`,
  ];
  return { change: { sql, definesTables: true }, defaults: isKindOne ? [names] : [] };
}

function readUse(cursor: Cursor, writing: Writing): Names | undefined {
  if (cursor.warehouse !== 'WAREHOUSE_ONE' || !cursor.takeWord('USE')) return undefined;
  if (cursor.takeWord('SCHEMA')) {
    const names = schemaName(cursor, writing);
    cursor.expectEndOfDefinition();
    return names;
  }
  const isDatabase = cursor.takeWord('DATABASE');
  const hasSchema = cursor.isOperator('.', 1);
  if (isDatabase && hasSchema) throw cursor.refusal('USE DATABASE with two names');
  const { database, schema } = schemaName(cursor, writing);
  cursor.expectEndOfDefinition();
  return hasSchema ? { database, schema } : { database: schema, schema: 'PUBLIC' };
}
