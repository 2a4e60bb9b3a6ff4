import type { Cursor } from '../parse/cursor.ts';
import { isAliasAhead, parseAlias } from '../parse/alias.ts';
import { parseFrom } from '../parse/from.ts';
import type { Alias, Expression, Name } from '../tree.ts';
import { expectBoolean } from '../write/convert.ts';
import { type Source, writeFrom } from '../write/from.ts';
import { quoteName } from '../write/typed.ts';
import { fold, NO_NAMES, refusal, sqlError, write, type Writing } from '../write/writing.ts';
import { stored } from './insert.ts';
import { type Change, readTarget, refuseDoubleNames, type Target, targetColumn } from './statement.ts';

export interface Assignment {
  readonly name: Name;
  readonly value: Expression;
}

/** `UPDATE table SET … [FROM …] [WHERE …]`. */
export function writeUpdate(cursor: Cursor, writing: Writing): Change {
  const target = readTarget(cursor, writing, parseAlias);
  cursor.expectWord('SET');
  const assignments = readAssignments(cursor, target, writing);
  const source = cursor.takeWord('FROM') ? writeFrom(parseFrom(cursor), writing) : undefined;
  const condition = cursor.takeWord('WHERE') ? cursor.expression() : undefined;
  cursor.expectEnd();
  const inner = around(target, source, writing);
  const set = assignmentsText(assignments, target, inner);
  const from = source ? ` FROM ${source.sql}` : '';
  return {
    sql: [`UPDATE ${target.sql} SET ${set}${from}${whereText(condition, inner)}`],
    definesTables: false,
  };
}

/** `DELETE FROM table [USING …] [WHERE …]`. */
export function writeDelete(cursor: Cursor, writing: Writing): Change {
  cursor.takeWord('FROM');
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
    throw refusal('the changed table again in FROM without an alias', 0, writing);
  return { ...writing, names: { ...NO_NAMES, relations, merged: source?.merged ?? new Map() } };
}

/** `column = value, …`; the column may have the table's alias before it. */
export function readAssignments(cursor: Cursor, target: Target, writing: Writing): readonly Assignment[] {
  const assignments = cursor.list(() => {
    const { at } = cursor;
    const parts = cursor.names();
    const name = parts.at(-1);
    const qualifier = parts.at(-2);
    if (name === undefined || (qualifier && fold(qualifier, writing) !== target.visible.alias))
      throw sqlError('SET may only name columns of the updated table', at, writing);
    cursor.expectOperator('=');
    if (cursor.isWord('DEFAULT')) throw refusal('SET … = DEFAULT', cursor.at, writing);
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
  return assignments
    .map(({ name, value }) => {
      const column = targetColumn(target.table, name, writing);
      return `${quoteName(column.name)} = ${stored(write(value, writing), column, value.at, writing)}`;
    })
    .join(', ');
}

function whereText(condition: Expression | undefined, writing: Writing): string {
  return condition ? ` WHERE ${expectBoolean(write(condition, writing), condition.at, writing).sql}` : '';
}
