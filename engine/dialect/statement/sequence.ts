import { physicalTable } from '../../duckdb/physical-name.ts';
import type { TableName } from '../../core/relation.ts';
import type { Cursor } from '../parse/cursor.ts';
import { fullName } from '../write/from.ts';
import type { Writing } from '../write/writing.ts';
import { type Change, takeIfMissing } from './statement.ts';

/** Where a sequence starts, and what it adds. */
export interface Counting {
  readonly start: number;
  readonly increment: number;
}

/** `CREATE [OR REPLACE] SEQUENCE [IF NOT EXISTS] name [START …] [INCREMENT …]`, after the word SEQUENCE. */
export function writeCreateSequence(cursor: Cursor, writing: Writing, isReplaced: boolean): Change {
  const ifMissing = takeIfMissing(cursor, isReplaced);
  const name = fullName(cursor.names(), writing);
  cursor.takeWord('WITH');
  const counting = readCounting(cursor);
  cursor.expectEndOfDefinition();
  const create = isReplaced ? 'CREATE OR REPLACE SEQUENCE' : 'CREATE SEQUENCE';
  return {
    sql: [`${create} ${ifMissing ? 'IF NOT EXISTS ' : ''}${physicalTable(name)} ${countingText(counting)}`],
    definesTables: false,
  };
}

/** `DROP SEQUENCE [IF EXISTS] name`. */
export function writeDropSequence(cursor: Cursor, writing: Writing): Change {
  const ifExists = cursor.takeWord('IF', 'EXISTS') ? 'IF EXISTS ' : '';
  const name = fullName(cursor.names(), writing);
  cursor.takeOneOf('CASCADE', 'RESTRICT');
  cursor.expectEndOfDefinition();
  return { sql: [`DROP SEQUENCE ${ifExists}${physicalTable(name)}`], definesTables: false };
}

/** `IDENTITY` or `AUTOINCREMENT`, with `(start, increment)` or `START … INCREMENT …`; undefined for anything else. */
export function readIdentity(cursor: Cursor): Counting | undefined {
  if (cursor.takeOneOf('IDENTITY', 'AUTOINCREMENT') === undefined) return undefined;
  if (!cursor.isOperator('(')) return readCounting(cursor);
  const [start = 1, increment = 1] = cursor.inParentheses(() => cursor.list(() => signed(cursor)));
  cursor.takeOneOf('ORDER', 'NOORDER');
  return { start, increment };
}

function readCounting(cursor: Cursor): Counting {
  let start = 1;
  let increment = 1;
  for (;;) {
    if (cursor.takeWord('START')) {
      cursor.takeWord('WITH');
      cursor.takeOperator('=');
      start = signed(cursor);
    } else if (cursor.takeWord('INCREMENT')) {
      cursor.takeWord('BY');
      cursor.takeOperator('=');
      increment = signed(cursor);
    } else if (cursor.takeOneOf('ORDER', 'NOORDER') === undefined) {
      return { start, increment };
    }
  }
}

function signed(cursor: Cursor): number {
  const isNegative = cursor.takeOperator('-');
  const { at } = cursor;
  const value = cursor.integer();
  if (value === 0 && isNegative) throw cursor.refusal('-0', at);
  return isNegative ? -value : value;
}

/** The sequence of an identity column. It is created again with its table, so that it starts again. */
export function identitySequence(table: TableName, column: string): TableName {
  return { ...table, table: `${table.table}.${column}` };
}

export function replaceSequenceSql(name: TableName, counting: Counting): string {
  return `CREATE OR REPLACE SEQUENCE ${physicalTable(name)} ${countingText(counting)}`;
}

function countingText({ start, increment }: Counting): string {
  // DuckDB's limits of a sequence would otherwise exclude a start below 1.
  const lowest = Math.min(start, 1);
  const limits =
    increment < 0 ? `MINVALUE -9000000000000000000 MAXVALUE ${Math.max(start, 1)}` : `MINVALUE ${lowest}`;
  return `START WITH ${start} INCREMENT BY ${increment} ${limits}`;
}
