import { physicalTable, quoteName } from '../../duckdb/catalog/physical-name.ts';
import { functionSignature, parameterName } from '../../duckdb/catalog/user-functions.ts';
import type { Column } from '../../core/relation.ts';
import type { SourceText } from '../../core/source-text.ts';
import type { SqlType } from '../../core/sql-type.ts';
import type { Cursor } from '../parse/cursor.ts';
import { cursorOver } from '../parse/index.ts';
import { parseType } from '../parse/type-name.ts';
import { createSession } from './session.ts';
import { splitStatements, type Token, tokenize } from '../parse/tokenize.ts';
import { changesEachTime } from '../write/query/columns.ts';
import { convert } from '../write/casts/convert.ts';
import { fullName } from '../write/query/from.ts';
import { duckType, type Typed } from '../write/sql/typed.ts';
import { fold, NO_NAMES, sqlError, write, type Writing } from '../write/sql/writing.ts';
import { type Change, refuseDoubleNames } from './statement.ts';

const NOTHING: Change = { sql: [], definesTables: false };

/**
 * Translates `CREATE [OR REPLACE] FUNCTION name (parameters) RETURNS type AS 'expression'`. The cursor is after the
 * word FUNCTION.
 */
export function writeCreateFunction(cursor: Cursor, writing: Writing, isReplaced: boolean): Change {
  const ifMissing = cursor.takeWord('IF', 'NOT', 'EXISTS');
  const { at } = cursor;
  const name = fullName(cursor.names(), writing);
  const parameters = readParameters(cursor, writing);
  cursor.expectWord('RETURNS');
  if (cursor.isWord('TABLE')) throw cursor.refusal('CREATE FUNCTION … RETURNS TABLE', at);
  const returns = parseType(cursor);
  skipOptions(cursor, at);
  cursor.expectWord('AS');
  const token = cursor.next();
  if (token.kind !== 'text') throw cursor.refusal('CREATE FUNCTION whose body is not a text', token.start);
  cursor.expectEndOfDefinition();
  const body = writeBody(bodyText(cursor.source, token), parameters, returns, writing);
  const exists = writing.session.context.catalog.findFunction?.(name) !== undefined;
  if (exists && ifMissing) return NOTHING;
  if (exists && !isReplaced)
    throw sqlError(`the function "${name.table}" exists already`, at, writing, 'exists');
  const list = functionSignature(parameters, returns);
  return {
    sql: [`CREATE OR REPLACE MACRO ${physicalTable(name)}(${list}) AS (${body})`],
    definesTables: true,
  };
}

/** Translates `DROP FUNCTION [IF EXISTS] name (types)`. */
export function writeDropFunction(cursor: Cursor, writing: Writing): Change {
  const ifExists = cursor.takeWord('IF', 'EXISTS');
  const { at } = cursor;
  const name = fullName(cursor.names(), writing);
  if (cursor.isOperator('('))
    cursor.inParentheses(() => (cursor.isOperator(')') ? [] : cursor.list(() => parseType(cursor))));
  cursor.expectEndOfDefinition();
  if (writing.session.context.catalog.findFunction?.(name) !== undefined)
    return { sql: [`DROP MACRO ${physicalTable(name)}`], definesTables: true };
  if (ifExists) return NOTHING;
  throw sqlError(`the function "${name.table}" does not exist`, at, writing, 'missing-object');
}

function readParameters(cursor: Cursor, writing: Writing): readonly Column[] {
  const parameters = cursor.inParentheses(() =>
    cursor.isOperator(')')
      ? []
      : cursor.list(() => {
          const name = cursor.name();
          const type = parseType(cursor);
          if (cursor.isWord('DEFAULT')) throw cursor.refusal('a parameter with DEFAULT');
          return { name, type };
        }),
  );
  refuseDoubleNames(
    parameters.map(({ name }) => name),
    writing,
  );
  return parameters.map(({ name, type }) => ({ name: fold(name, writing), type }));
}

/** Options that say nothing about the value. */
function skipOptions(cursor: Cursor, at: number): void {
  for (;;) {
    if (cursor.takeWord('LANGUAGE')) {
      const language = cursor.next().value;
      if (language !== 'SQL')
        throw cursor.refusal(`CREATE FUNCTION … LANGUAGE ${language}`, at, 'mock the component');
    } else if (cursor.takeWord('COMMENT')) {
      cursor.expectOperator('=');
      cursor.next();
    } else if (
      !cursor.takeWord('NOT', 'NULL') &&
      !cursor.takeWord('CALLED', 'ON', 'NULL', 'INPUT') &&
      cursor.takeOneOf('IMMUTABLE', 'VOLATILE', 'STABLE', 'MEMOIZABLE') === undefined
    )
      return;
  }
}

/** The text between the quotes. A quote that is written twice moves the places after it. */
function bodyText(source: SourceText, { value, raw, start }: Token): SourceText {
  const before = raw.startsWith('$$') ? 2 : 1;
  return { text: value, placeOf: (offset) => source.placeOf(start + before + offset) };
}

function writeBody(
  source: SourceText,
  parameters: readonly Column[],
  returns: SqlType,
  { session: { context } }: Writing,
): string {
  const [part] = splitStatements(source, tokenize(source, context.warehouse));
  const cursor = cursorOver(source, part?.tokens ?? tokenize(source, context.warehouse), context.warehouse);
  if (cursor.isWord('SELECT') || cursor.isWord('WITH') || cursor.isWord('BEGIN'))
    throw cursor.refusal(`a function whose body begins with ${cursor.peek().value}`);
  const expression = cursor.expression();
  cursor.expectEnd();
  if (changesEachTime(expression))
    throw cursor.refusal('a function that returns a different value in each call');
  const columns = new Map<string, Typed>(
    parameters.map(({ name, type }) => [name, { sql: quoteName(parameterName({ name, type })), type }]),
  );
  const session = createSession(source, { ...context, isStored: true });
  const names = { ...NO_NAMES, relations: [{ alias: '', columns }] };
  const writing: Writing = { session, names, commonTables: new Map() };
  const value = convert(write(expression, writing), returns, expression.at, writing);
  return `CAST(${value.sql} AS ${duckType(returns)})`;
}
