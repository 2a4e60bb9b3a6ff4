import type { Cursor } from '../parse/cursor.ts';
import { isAliasAhead, parseAlias } from '../parse/alias.ts';
import { parseFrom } from '../parse/from.ts';
import type { Alias, Expression, FromItem, Join, Name } from '../parse/tree.ts';
import { expectBoolean } from '../write/casts/convert.ts';
import { type Source, writeFrom } from '../write/query/from.ts';
import { quoteName } from '../write/sql/typed.ts';
import { fold, isOne, NO_NAMES, refusal, sqlError, write, type Writing } from '../write/sql/writing.ts';
import { stored } from './insert.ts';
import {
  type Change,
  readTarget,
  refuseDoubleNames,
  refuseIdentityValue,
  type Target,
  targetColumn,
} from './statement.ts';

export interface Assignment {
  readonly name: Name;
  readonly value: Expression;
}

/** Translates `UPDATE table SET … [FROM …] [WHERE …]`. */
export function writeUpdate(cursor: Cursor, writing: Writing): Change {
  const target = readTarget(cursor, writing, parseAlias);
  cursor.expectWord('SET');
  const assignments = readAssignments(cursor, target, writing);
  const item = cursor.takeWord('FROM') ? parseFrom(cursor) : undefined;
  const outer = item && !isOne(writing) ? outerJoinOf(item) : undefined;
  if (outer) throw refusal(`a ${outer.how} JOIN in FROM of UPDATE`, outer.at, writing, NO_OUTER);
  const source = item && writeFrom(item, writing);
  const condition = cursor.takeWord('WHERE') ? cursor.expression() : undefined;
  cursor.expectEnd();
  const inner = around(target, source, writing);
  const set = assigned(assignments, target, inner);
  const where = whereText(condition, inner);
  const check = source === undefined ? undefined : severalValuesCheck(target, source.sql, where, set);
  const from = source ? ` FROM ${source.sql}` : '';
  const update = `UPDATE ${target.sql} SET ${set.map(({ sql }) => sql).join(', ')}${from}${where}`;
  return { sql: check === undefined ? [update] : [check, update], definesTables: false };
}

const NO_OUTER = 'the warehouse refuses it: join the tables in a subquery after FROM';

function outerJoinOf(item: FromItem): Join | undefined {
  if (item.kind !== 'join') return undefined;
  const isOuter = item.how !== 'INNER' && item.how !== 'CROSS';
  return isOuter ? item : (outerJoinOf(item.left) ?? outerJoinOf(item.right));
}

/** If several rows of FROM match one row, the warehouse may take any of them. */
function severalValuesCheck(
  target: Target,
  source: string,
  where: string,
  set: readonly Assigned[],
): string | undefined {
  // A value that differs with each use must not be computed here.
  const stable = set.filter(({ value }) => !/\b(?:nextval|random)\(/.test(value));
  if (stable.length === 0) return undefined;
  const row = `${target.sql.slice(target.sql.lastIndexOf(' ') + 1)}.rowid`;
  const values = stable.map(({ value }) => value).join(', ');
  const several = `SELECT ${row} FROM ${target.sql}, ${source}${where} GROUP BY ${row} HAVING count(DISTINCT row(${values})) > 1`;
  const message =
    'Millrace does not support an UPDATE in which several rows of FROM give a row different values, because the warehouse may take any of these values; make sure that at most one row of FROM matches';
  return `SELECT CASE WHEN EXISTS (${several}) THEN error('${message}') END`;
}

/** Translates `DELETE FROM table [USING …] [WHERE …]`. In `WAREHOUSE_TWO`, the word FROM is optional. */
export function writeDelete(cursor: Cursor, writing: Writing): Change {
  if (isOne(writing)) cursor.expectWord('FROM');
  else cursor.takeWord('FROM');
  const target = readTarget(cursor, writing, parseTargetAlias);
  const source = cursor.takeWord('USING') ? writeFrom(parseFrom(cursor), writing) : undefined;
  const condition = cursor.takeWord('WHERE') ? cursor.expression() : undefined;
  cursor.expectEnd();
  const inner = around(target, source, writing);
  const using = source ? ` USING ${source.sql}` : '';
  return { sql: [`DELETE FROM ${target.sql}${using}${whereText(condition, inner)}`], definesTables: false };
}

function parseTargetAlias(cursor: Cursor): Alias | undefined {
  return cursor.isWord('AS') || isAliasAhead(cursor) ? parseAlias(cursor) : undefined;
}

function around(target: Target, source: Source | undefined, writing: Writing): Writing {
  const relations = [target.visible, ...(source?.relations ?? [])];
  const aliases = relations.map((relation) => `${relation.path?.join('.') ?? ''}.${relation.alias}`);
  if (new Set(aliases).size < aliases.length)
    throw refusal('the changed table a second time in FROM, without an alias', 0, writing);
  return { ...writing, names: { ...NO_NAMES, relations, merged: source?.merged ?? new Map() } };
}

/** Parses `column = value, …`. A column may be written with the alias of the table before it. */
export function readAssignments(cursor: Cursor, target: Target, writing: Writing): readonly Assignment[] {
  const assignments = cursor.list(() => {
    const { at } = cursor;
    const parts = cursor.names();
    const name = parts.at(-1);
    const qualifier = parts.at(-2);
    if (name === undefined || (qualifier && fold(qualifier, writing) !== target.visible.alias))
      throw sqlError('SET can only set columns of the updated table', at, writing);
    if (qualifier && !isOne(writing))
      throw sqlError(
        'the columns in SET cannot have a table before their names: leave the table out',
        at,
        writing,
      );
    cursor.expectOperator('=');
    if (cursor.isWord('DEFAULT'))
      throw refusal('SET … = DEFAULT', cursor.at, writing, 'write the value instead');
    return { name, value: cursor.expression() };
  });
  refuseDoubleNames(
    assignments.map((assignment) => assignment.name),
    writing,
  );
  return assignments;
}

export function assignmentsText(
  assignments: readonly Assignment[],
  target: Target,
  writing: Writing,
): string {
  return assigned(assignments, target, writing)
    .map(({ sql }) => sql)
    .join(', ');
}

/** DuckDB's SQL of an assignment, and of its value. */
interface Assigned {
  readonly sql: string;
  readonly value: string;
}

function assigned(assignments: readonly Assignment[], target: Target, writing: Writing): readonly Assigned[] {
  return assignments.map(({ name, value: expression }) => {
    const column = targetColumn(target.table, name, writing);
    refuseIdentityValue(target.table, column, name.at, writing);
    const value = stored(write(expression, writing), column, expression.at, writing);
    return { sql: `${quoteName(column.name)} = ${value}`, value };
  });
}

function whereText(condition: Expression | undefined, writing: Writing): string {
  return condition ? ` WHERE ${expectBoolean(write(condition, writing), condition.at, writing).sql}` : '';
}
