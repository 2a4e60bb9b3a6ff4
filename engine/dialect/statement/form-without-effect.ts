import type { Cursor } from '../parse/cursor.ts';
import { sqlError, type Writing } from '../write/sql/writing.ts';
import { existingTable, targetColumn } from './statement.ts';

/** Parses a statement that has no effect, and checks its form: its parts, and the tables that it names. */
export function readWithoutEffect(cursor: Cursor, what: string, writing: Writing): void {
  if (!cursor.takeWord(...what.split(' '))) return;
  if (what === 'COMMENT') readComment(cursor, writing);
  else if (what === 'GRANT' || what === 'REVOKE') readGrant(cursor, what === 'GRANT' ? 'TO' : 'FROM');
  else if (what === 'ANALYZE') readAnalyze(cursor, writing);
  else if (what === 'VACUUM') readVacuum(cursor, writing);
  else if (cursor.peek().kind === 'end' && !what.includes('UNSET'))
    throw cursor.unexpected(what.endsWith('QUERY_TAG') ? 'a value' : 'a name');
}

function readTable(cursor: Cursor, writing: Writing): void {
  const { at } = cursor;
  existingTable(cursor.names(), at, writing);
}

/** `COMMENT [IF EXISTS] ON type name IS text`. */
function readComment(cursor: Cursor, writing: Writing): void {
  const ifExists = cursor.takeWord('IF', 'EXISTS');
  cursor.expectWord('ON');
  const { at } = cursor;
  const isTable = cursor.isWord('TABLE') || cursor.isWord('VIEW');
  const isColumn = cursor.isWord('COLUMN');
  // The type of the object is a reserved word.
  cursor.label();
  const start = cursor.at;
  if (!ifExists && isTable) readTable(cursor, writing);
  else if (!ifExists && isColumn) {
    const names = [cursor.name()];
    while (cursor.takeOperator('.')) names.push(cursor.laterName());
    const column = names.pop();
    if (column === undefined || names.length === 0)
      throw sqlError('write the table before the column: table.column', start, writing);
    targetColumn(existingTable(names, start, writing), column, writing);
  } else skipTo(cursor, 'IS', at);
  cursor.expectWord('IS');
  if (cursor.peek().kind !== 'text' && !cursor.isWord('NULL')) throw cursor.unexpected('a text');
}

/**
 * `GRANT … TO …`, `REVOKE … FROM …`. The table need not exist here: the component that creates it may have a mock, and
 * these statements need no rows.
 */
function readGrant(cursor: Cursor, end: 'TO' | 'FROM'): void {
  skipTo(cursor, end, cursor.at);
  cursor.next();
  if (cursor.peek().kind === 'end') throw cursor.unexpected('a name');
}

function skipTo(cursor: Cursor, word: string, start: number): void {
  while (!cursor.isWord(word)) {
    if (cursor.peek().kind === 'end') throw cursor.wrong(`${word} is missing`, start);
    cursor.next();
  }
}

/** `ANALYZE [VERBOSE | COMPRESSION] [table [(columns)]] [PREDICATE COLUMNS | ALL COLUMNS]`. */
function readAnalyze(cursor: Cursor, writing: Writing): void {
  cursor.takeOneOf('VERBOSE', 'COMPRESSION');
  const isWhole = cursor.isWord('PREDICATE', 'COLUMNS') || cursor.isWord('ALL', 'COLUMNS');
  if (cursor.peek().kind === 'end') return;
  if (!isWhole) {
    readTable(cursor, writing);
    if (cursor.isOperator('(')) cursor.inParentheses(() => cursor.list(() => cursor.name()));
  }
  if (cursor.takeWord('COMPROWS')) cursor.integer();
  if (!cursor.takeWord('PREDICATE', 'COLUMNS')) cursor.takeWord('ALL', 'COLUMNS');
  cursor.expectEndOfDefinition();
}

/** `VACUUM [FULL | SORT ONLY | DELETE ONLY | REINDEX | RECLUSTER] [table [TO number PERCENT] [BOOST]]`. */
function readVacuum(cursor: Cursor, writing: Writing): void {
  if (!cursor.takeWord('SORT', 'ONLY') && !cursor.takeWord('DELETE', 'ONLY'))
    cursor.takeOneOf('FULL', 'REINDEX', 'RECLUSTER');
  if (cursor.peek().kind === 'end') return;
  if (!cursor.isWord('BOOST')) readTable(cursor, writing);
  if (cursor.takeWord('TO')) {
    cursor.integer();
    cursor.expectWord('PERCENT');
  }
  cursor.takeWord('BOOST');
  cursor.expectEndOfDefinition();
}
