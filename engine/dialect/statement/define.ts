import { numberOf } from '../../../lib/core/text/number-of.ts';
import { declareTypes } from '../../duckdb/catalog/column-types.ts';
import { physicalTable, quoteName } from '../../duckdb/catalog/physical-name.ts';
import { countedNeeds, declareNeeds, viewNeeds } from '../../duckdb/catalog/view-needs.ts';
import type { ViewNeed } from '../../core/relation.ts';
import type { Cursor } from '../parse/cursor.ts';
import { parseType } from '../parse/type-name.ts';
import type { Name } from '../parse/tree.ts';
import { fullName } from '../write/query/from.ts';
import { duckType } from '../write/sql/typed.ts';
import { fold, isOne, refusal, sqlError, type Writing } from '../write/sql/writing.ts';
import { dropWithViews } from './drop.ts';
import { skipViewOptions } from './options.ts';
import {
  type Change,
  existingTable,
  refuseDoubleNames,
  refuseSimilarTable,
  takeIfMissing,
  targetColumn,
} from './statement.ts';

/** Translates `CREATE [OR REPLACE] VIEW name [(columns)] AS query`. The cursor is after the word VIEW. */
export function writeCreateView(cursor: Cursor, writing: Writing, isReplaced: boolean): Change {
  const ifMissing = takeIfMissing(cursor, isReplaced);
  if (ifMissing && !isOne(writing))
    throw cursor.wrong('CREATE VIEW has no IF NOT EXISTS: write CREATE OR REPLACE VIEW');
  const { at } = cursor;
  const name = fullName(cursor.names(), writing);
  const existing = writing.session.context.catalog.find(name);
  refuseSimilarTable(name, at, writing);
  const names = cursor.isOperator('(')
    ? cursor.inParentheses(() => cursor.list(() => cursor.name('column')))
    : [];
  skipViewOptions(cursor);
  cursor.expectWord('AS');
  const body = cursor.query();
  const isLate = !isOne(writing) && cursor.takeWord('WITH', 'NO', 'SCHEMA', 'BINDING');
  cursor.expectEnd();
  const query = writing.session.query(body, writing);
  const needs = needsOf(query.sql, isLate, writing);
  if (existing && ifMissing) return { sql: [], definesTables: false };
  if (existing && (!isReplaced || existing.kind === 'table'))
    throw sqlError(`the ${existing.kind} "${name.table}" exists already`, at, writing, 'exists');
  if (names.length > 0 && names.length !== query.columns.length)
    throw sqlError(
      `CREATE VIEW lists ${numberOf(names.length, 'column name')}, but its query has ${numberOf(query.columns.length, 'column')}`,
      at,
      writing,
    );
  refuseDoubleNames(names, writing);
  const list = names.map((column) => quoteName(fold(column, writing))).join(', ');
  const columns = names.length > 0 ? ` (${list})` : '';
  const shown = query.columns.map(({ name: columnName, type }, index) => {
    const renamed = names[index];
    return { name: renamed === undefined ? columnName : fold(renamed, writing), type };
  });
  return {
    sql: [
      `CREATE OR REPLACE VIEW ${physicalTable(name)}${columns} AS ${query.sql}`,
      ...declareTypes(physicalTable(name), shown),
      ...declareNeeds(physicalTable(name), needs),
    ],
    definesTables: true,
  };
}

function needsOf(sql: string, isLate: boolean, writing: Writing): readonly ViewNeed[] {
  const { reads, starred } = writing.session;
  if (isOne(writing)) return countedNeeds(sql, reads, starred);
  return isLate ? [] : viewNeeds(sql, [...reads.values()]);
}

/** Translates `TRUNCATE [TABLE] [IF EXISTS] name`. */
export function writeTruncate(cursor: Cursor, writing: Writing): Change {
  cursor.takeWord('TABLE');
  const start = cursor.at;
  const ifExists = cursor.takeWord('IF', 'EXISTS');
  if (ifExists && !isOne(writing)) throw cursor.wrong('TRUNCATE has no IF EXISTS: leave it out', start);
  const { at } = cursor;
  const parts = cursor.names();
  cursor.expectEndOfDefinition();
  const existing = writing.session.context.catalog.find(fullName(parts, writing));
  if (!existing && ifExists) return { sql: [], definesTables: false };
  const table = existingTable(parts, at, writing);
  if (table.kind === 'view')
    throw sqlError(`"${table.table}" is a view, but TRUNCATE needs a table`, at, writing);
  return { sql: [`DELETE FROM ${table.sql}`], definesTables: false };
}

const NOTHING: Change = { sql: [], definesTables: false };

/** Translates `ALTER TABLE name ADD | DROP | RENAME …`. */
export function writeAlterTable(cursor: Cursor, writing: Writing): Change {
  const ifExists = cursor.takeWord('IF', 'EXISTS');
  const { at } = cursor;
  const parts = cursor.names();
  if (ifExists && !writing.session.context.catalog.find(fullName(parts, writing)))
    throw refusal('ALTER TABLE IF EXISTS of a table that does not exist', at, writing);
  const table = existingTable(parts, at, writing);
  const alter = (action: string): Change => ({
    sql: [`ALTER TABLE ${table.sql} ${action}`],
    definesTables: true,
  });
  const start = cursor.at;
  const has = (column: string): boolean => table.columns.some(({ name }) => name === column);
  if (cursor.takeWord('ADD')) {
    const { name, ifMissing, action } = addColumn(cursor, writing);
    return ifMissing && has(name) ? NOTHING : alter(action);
  }
  if (cursor.takeWord('DROP', 'COLUMN')) {
    const ifThere = takeCondition(cursor, 'DROP COLUMN', 'IF EXISTS', writing);
    const name = cursor.name();
    const column = fold(name, writing);
    const isThere = !ifThere || has(column);
    if (isThere) targetColumn(table, name, writing);
    const views = dropWithViews(
      cursor,
      isThere ? [table] : [],
      `the column "${column}"`,
      at,
      writing,
      column,
    );
    if (!isThere) return NOTHING;
    const dropped = alter(`DROP COLUMN ${quoteName(column)}`);
    return { ...dropped, sql: [...views, ...dropped.sql] };
  }
  if (cursor.takeWord('RENAME', 'COLUMN')) {
    const column = targetColumn(table, cursor.name(), writing);
    cursor.expectWord('TO');
    const name = newName(cursor, writing);
    return alter(`RENAME COLUMN ${quoteName(column.name)} TO ${quoteName(name)}`);
  }
  throw refusal(`ALTER TABLE … ${cursor.peek().raw.toUpperCase()}`, start, writing);
}

function newName(cursor: Cursor, writing: Writing): string {
  const name: Name = cursor.name('column');
  cursor.expectEndOfDefinition();
  return fold(name, writing);
}

/** A condition of `WAREHOUSE_ONE` for a column that a statement adds or drops; no page of `WAREHOUSE_TWO` has it. */
function takeCondition(
  cursor: Cursor,
  action: string,
  condition: 'IF EXISTS' | 'IF NOT EXISTS',
  writing: Writing,
): boolean {
  const { at } = cursor;
  const isTaken = cursor.takeWord(...condition.split(' '));
  if (isTaken && !isOne(writing))
    throw refusal(`${action} ${condition}`, at, writing, `write ${action} alone`);
  return isTaken;
}

interface AddedColumn {
  readonly name: string;
  readonly ifMissing: boolean;
  /** What ALTER TABLE does, in DuckDB's SQL. */
  readonly action: string;
}

/** DuckDB adds no column with a check, which a limited text needs. */
function addColumn(cursor: Cursor, writing: Writing): AddedColumn {
  cursor.takeWord('COLUMN');
  const ifMissing = takeCondition(cursor, 'ADD COLUMN', 'IF NOT EXISTS', writing);
  const name = fold(cursor.name('column'), writing);
  const { at } = cursor;
  const type = parseType(cursor);
  if (type.name === 'VARCHAR' && type.length !== undefined)
    throw refusal('ADD COLUMN with a length', at, writing, 'use VARCHAR without a length');
  if (cursor.isWord('DEFAULT'))
    throw refusal(
      'ADD COLUMN with DEFAULT',
      cursor.at,
      writing,
      'add the column without DEFAULT, and then set its values with UPDATE',
    );
  if (cursor.isOperator(','))
    throw refusal(
      'ADD COLUMN of several columns',
      cursor.at,
      writing,
      'write one ALTER TABLE for each column',
    );
  cursor.expectEndOfDefinition();
  return { name, ifMissing, action: `ADD COLUMN ${quoteName(name)} ${duckType(type)}` };
}
