import type { CommonTable, FromItem, Query, QueryBody, Select, SelectItem } from './tree.ts';
import { parseOrder } from './call.ts';
import { parseStar } from './star.ts';
import type { Cursor } from './cursor.ts';
import { isAliasAhead } from './alias.ts';
import { parseFrom, parseRows, refuseConstantTable } from './from.ts';
import { parseGroupingSets } from './grouping-sets.ts';

/** Parses a query with WITH, SELECT, set operations, ORDER BY and LIMIT. */
export function parseQuery(cursor: Cursor): Query {
  const { at } = cursor;
  const hasWith = cursor.takeWord('WITH');
  const isRecursive = hasWith && cursor.takeWord('RECURSIVE');
  const tables = hasWith ? cursor.list(() => parseCommonTable(cursor)) : [];
  if (hasWith && cursor.warehouse === 'WAREHOUSE_TWO') refuseChangeAfterWith(cursor);
  const { body, top } = parseUnion(cursor);
  const order = cursor.isWord('ORDER', 'BY') ? parseOrder(cursor) : [];
  const { limit, offset } = parseLimit(cursor);
  if (top !== undefined && limit !== undefined) throw cursor.refusal('TOP and LIMIT in one query');
  return { at, isRecursive, tables, body, order, limit: top ?? limit, offset };
}

function refuseChangeAfterWith(cursor: Cursor): void {
  for (const word of ['INSERT', 'UPDATE', 'DELETE'])
    if (cursor.isWord(word))
      throw cursor.refusal(`WITH before ${word}`, cursor.at, 'move the query to FROM or USING');
}

function parseCommonTable(cursor: Cursor): CommonTable {
  const name = cursor.name('table');
  const columns = cursor.isOperator('(')
    ? cursor.inParentheses(() => cursor.list(() => cursor.name('column')))
    : [];
  cursor.expectWord('AS');
  const query = cursor.inParentheses(() => cursor.query());
  return { alias: { name, columns }, query };
}

interface Body {
  readonly body: QueryBody;
  /** `SELECT TOP n`: only if it is the whole query. */
  readonly top: number | undefined;
}

function parseUnion(cursor: Cursor): Body {
  let left = parseIntersect(cursor);
  for (let length = 1; ; length += 1) {
    const { at } = cursor;
    const word = cursor.takeOneOf('UNION', 'EXCEPT', 'MINUS');
    if (word === undefined) return left;
    cursor.limitChain(length);
    const isAll = cursor.takeWord('ALL');
    if (isAll && word !== 'UNION') throw cursor.refusal(`${word} ALL`, at);
    if (!isAll) cursor.takeWord('DISTINCT');
    refuseByName(cursor);
    const operator = word === 'UNION' ? (isAll ? 'UNION ALL' : 'UNION') : 'EXCEPT';
    left = setOperation(cursor, at, operator, left, parseIntersect(cursor));
  }
}

function parseIntersect(cursor: Cursor): Body {
  let left = parseTerm(cursor);
  for (let length = 1; ; length += 1) {
    const { at } = cursor;
    if (!cursor.takeWord('INTERSECT')) return left;
    cursor.limitChain(length);
    if (cursor.isWord('ALL')) throw cursor.refusal('INTERSECT ALL', at);
    cursor.takeWord('DISTINCT');
    left = setOperation(cursor, at, 'INTERSECT', left, parseTerm(cursor));
  }
}

function refuseByName(cursor: Cursor): void {
  if (cursor.isWord('BY', 'NAME')) throw cursor.refusal('UNION BY NAME');
}

function setOperation(
  cursor: Cursor,
  at: number,
  operator: Extract<QueryBody, { kind: 'set' }>['operator'],
  left: Body,
  right: Body,
): Body {
  if (left.top !== undefined || right.top !== undefined)
    throw cursor.refusal('TOP in a set operation', at, IN_FROM);
  if (cursor.warehouse === 'WAREHOUSE_TWO' && [left, right].some(({ body }) => isLimited(body)))
    throw cursor.refusal(`LIMIT in a query of ${operator}`, at, IN_FROM);
  return { body: { kind: 'set', at, operator, left: left.body, right: right.body }, top: undefined };
}

const IN_FROM = 'the warehouse refuses it: move the query with the limit into FROM, and select from it';

function isLimited(body: QueryBody): boolean {
  if (body.kind !== 'nested') return false;
  const { limit, offset, body: inner } = body.query;
  return limit !== undefined || offset !== undefined || isLimited(inner);
}

function parseTerm(cursor: Cursor): Body {
  const { at } = cursor;
  if (cursor.isOperator('(')) {
    const query = cursor.inParentheses(() => cursor.query());
    return { body: { kind: 'nested', at, query }, top: undefined };
  }
  refuseConstantTable(cursor);
  if (cursor.takeWord('VALUES'))
    return { body: { kind: 'values', at, rows: parseRows(cursor) }, top: undefined };
  cursor.expectWord('SELECT');
  const isDistinct = cursor.takeWord('DISTINCT');
  if (!isDistinct) cursor.takeWord('ALL');
  if (cursor.isWord('ON') && isDistinct)
    throw cursor.refusal(
      'DISTINCT ON',
      undefined,
      'use QUALIFY ROW_NUMBER() OVER (PARTITION BY … ORDER BY …) = 1',
    );
  const hasTop = cursor.isWord('TOP') && cursor.peek(1).kind === 'number';
  if (hasTop) cursor.next();
  const top = hasTop ? cursor.rowCount() : undefined;
  return { body: parseSelect(cursor, at, isDistinct), top };
}

function parseSelect(cursor: Cursor, at: number, isDistinct: boolean): Select {
  const items = cursor.list(() => parseItem(cursor));
  if (cursor.isWord('INTO')) throw cursor.refusal('SELECT INTO', undefined, 'write CREATE TABLE … AS SELECT');
  const from = cursor.takeWord('FROM') ? parseFrom(cursor) : undefined;
  const where = cursor.takeWord('WHERE') ? cursor.expression() : undefined;
  if (cursor.isWord('CONNECT', 'BY') || cursor.isWord('START', 'WITH')) throw cursor.refusal('CONNECT BY');
  const groups = cursor.takeWord('GROUP', 'BY') ? parseGroups(cursor) : undefined;
  const having = cursor.takeWord('HAVING') ? cursor.expression() : undefined;
  if (cursor.isWord('WINDOW'))
    throw cursor.refusal(
      'the clause WINDOW',
      undefined,
      'write the definition of each window into its OVER (…)',
    );
  if (from && !where && !groups && !having) refuseUnnamedBeforeQualify(cursor, from);
  const qualify = cursor.takeWord('QUALIFY') ? cursor.expression() : undefined;
  return { kind: 'select', at, isDistinct, items, from, where, groups, having, qualify };
}

/** `WAREHOUSE_TWO` requires an alias if QUALIFY follows FROM directly. */
function refuseUnnamedBeforeQualify(cursor: Cursor, item: FromItem): void {
  if (cursor.warehouse === 'WAREHOUSE_ONE' || !cursor.isWord('QUALIFY')) return;
  if (item.kind === 'join') {
    refuseUnnamedBeforeQualify(cursor, item.left);
    refuseUnnamedBeforeQualify(cursor, item.right);
  } else if (item.alias === undefined)
    throw cursor.refusal(
      'QUALIFY after a table without an alias',
      item.at,
      'the warehouse requires an alias if QUALIFY follows FROM directly: give the table an alias',
    );
}

function parseGroups(cursor: Cursor): Select['groups'] {
  if (cursor.takeWord('ALL')) return 'ALL';
  return cursor.list(() => parseGroupingSets(cursor) ?? cursor.expression());
}

function parseItem(cursor: Cursor): SelectItem {
  const star = parseStar(cursor);
  if (star !== undefined) return star;
  if (cursor.warehouse === 'WAREHOUSE_ONE' && cursor.isWord('FROM') && cursor.isAfterComma)
    throw cursor.refusal('a comma before FROM', cursor.at, 'leave it out');
  const value = cursor.expression();
  // After AS, `WAREHOUSE_TWO` takes every word.
  if (cursor.takeWord('AS'))
    return {
      kind: 'value',
      value,
      alias: cursor.warehouse === 'WAREHOUSE_ONE' ? cursor.name('column') : cursor.label(),
    };
  return { kind: 'value', value, alias: isAliasAhead(cursor) ? cursor.name('column') : undefined };
}

interface Limit {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/**
 * `WAREHOUSE_ONE`: `LIMIT count [OFFSET start]` or `[OFFSET start] FETCH count`. `WAREHOUSE_TWO`: LIMIT and OFFSET,
 * in any order.
 */
function parseLimit(cursor: Cursor): Limit {
  const isOne = cursor.warehouse === 'WAREHOUSE_ONE';
  let limit: number | undefined;
  let offset: number | undefined;
  let hasLimit = false;
  const { at } = cursor;
  for (;;) {
    if (!hasLimit && cursor.takeWord('LIMIT')) {
      hasLimit = true;
      limit = takeNoLimit(cursor, isOne) ? undefined : cursor.rowCount();
    } else if (offset === undefined && cursor.takeWord('OFFSET')) {
      offset = cursor.rowCount();
      if (isOne) cursor.takeOneOf('ROWS', 'ROW');
    } else if (!hasLimit && cursor.isWord('FETCH')) {
      hasLimit = true;
      limit = parseFetch(cursor, isOne);
    } else {
      if (isOne && offset !== undefined && !hasLimit)
        throw cursor.refusal('OFFSET without LIMIT', at, 'the warehouse requires a LIMIT here: add one');
      return { limit, offset };
    }
  }
}

/** What LIMIT has instead of a number: `WAREHOUSE_ONE` takes an empty text too. */
function takeNoLimit(cursor: Cursor, isOne: boolean): boolean {
  const { kind, value } = cursor.peek();
  if (!isOne || kind !== 'text' || value !== '') return cursor.takeWord(isOne ? 'NULL' : 'ALL');
  cursor.next();
  return true;
}

function parseFetch(cursor: Cursor, isOne: boolean): number {
  if (!isOne) throw cursor.refusal('FETCH', cursor.at, 'the warehouse has only LIMIT: write LIMIT instead');
  cursor.takeWord('FETCH');
  cursor.takeOneOf('FIRST', 'NEXT');
  const limit = cursor.rowCount();
  cursor.takeOneOf('ROWS', 'ROW');
  cursor.takeWord('ONLY');
  if (cursor.isWord('WITH', 'TIES'))
    throw cursor.refusal('FETCH … WITH TIES', cursor.at, 'use QUALIFY RANK() OVER (ORDER BY …) <= count');
  return limit;
}
