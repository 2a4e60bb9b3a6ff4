import { lowerAscii } from '../../core/ascii-case.ts';
import type { Expression } from './tree.ts';
import type { Cursor } from './cursor.ts';
import { parsePrimary } from './primary.ts';
import { parseType } from './type-name.ts';

const COMPARISONS = ['=', '<=', '>=', '<>', '!=', '<', '>'];

/** Parses an expression, beginning with the operator of the lowest precedence (OR). */
export function parseExpression(cursor: Cursor): Expression {
  return chain(
    cursor,
    () => parseAnd(cursor),
    () => (cursor.takeWord('OR') ? 'OR' : undefined),
  );
}

function parseAnd(cursor: Cursor): Expression {
  return chain(
    cursor,
    () => parseNot(cursor),
    () => (cursor.takeWord('AND') ? 'AND' : undefined),
  );
}

function chain(cursor: Cursor, operand: () => Expression, take: () => string | undefined): Expression {
  let left = operand();
  for (let length = 1; ; length += 1) {
    const { at } = cursor;
    const operator = take();
    if (operator === undefined) return left;
    cursor.limitChain(length);
    left = { kind: 'binary', at, operator, left, right: operand() };
  }
}

function parseNot(cursor: Cursor): Expression {
  const { at } = cursor;
  if (!cursor.takeWord('NOT')) return parseComparison(cursor);
  return { kind: 'unary', at, operator: 'NOT', value: cursor.nested(() => parseNot(cursor)) };
}

function parseComparison(cursor: Cursor): Expression {
  let left = parsePredicate(cursor);
  for (let length = 1; ; length += 1) {
    const { at } = cursor;
    const operator = COMPARISONS.find((candidate) => cursor.takeOperator(candidate));
    if (operator !== undefined) {
      if (cursor.isWord('ANY') || cursor.isWord('ALL') || cursor.isWord('SOME'))
        throw cursor.refusal(`${operator} ${cursor.peek().value}`, at);
      const right = parsePredicate(cursor);
      left = { kind: 'binary', at, operator: operator === '!=' ? '<>' : operator, left, right };
    } else if (cursor.isWord('IS')) left = parseIs(cursor, left);
    else return left;
    cursor.limitChain(length);
  }
}

function parseIs(cursor: Cursor, value: Expression): Expression {
  const { at } = cursor;
  cursor.expectWord('IS');
  const isNegated = cursor.takeWord('NOT');
  if (cursor.takeWord('DISTINCT', 'FROM')) {
    const operator = isNegated ? 'IS NOT DISTINCT FROM' : 'IS DISTINCT FROM';
    return { kind: 'binary', at, operator, left: value, right: parsePredicate(cursor) };
  }
  for (const what of ['NULL', 'TRUE', 'FALSE'] as const)
    if (cursor.takeWord(what)) return { kind: 'is', at, isNegated, value, what };
  if (cursor.warehouse === 'WAREHOUSE_TWO' && cursor.takeWord('UNKNOWN'))
    return { kind: 'is', at, isNegated, value, what: 'UNKNOWN' };
  throw cursor.unexpected('NULL, TRUE, FALSE or DISTINCT FROM');
}

/** BETWEEN, IN and LIKE bind stronger than comparisons. */
function parsePredicate(cursor: Cursor): Expression {
  const value = parseConcatenation(cursor);
  const { at } = cursor;
  if (cursor.isOperator('~') || cursor.isOperator('!~')) return parseMatch(cursor, at, value);
  const next = cursor.isWord('NOT') ? cursor.peek(1) : cursor.peek();
  if (next.kind !== 'word') return value;
  if (!['BETWEEN', 'IN', 'LIKE', 'ILIKE', 'RLIKE', 'REGEXP', 'SIMILAR'].includes(next.value)) return value;
  const isNegated = cursor.takeWord('NOT');
  if (cursor.takeWord('BETWEEN')) {
    const low = parseConcatenation(cursor);
    cursor.expectWord('AND');
    return { kind: 'between', at, isNegated, value, low, high: parseConcatenation(cursor) };
  }
  if (cursor.takeWord('IN')) return { kind: 'in', at, isNegated, value, items: parseItems(cursor) };
  if (cursor.isWord('SIMILAR')) throw cursor.refusal('SIMILAR TO', undefined, 'use LIKE');
  return parseLike(cursor, at, isNegated, value);
}

/** `text ~ 'pattern'`. What follows the pattern may bind stronger or weaker: only a literal is one. */
function parseMatch(cursor: Cursor, at: number, value: Expression): Expression {
  const isNegated = cursor.next().raw === '!~';
  if (cursor.isOperator('*'))
    throw cursor.refusal('~*', at, 'the warehouse has no such operator: apply LOWER to the text instead');
  const token = cursor.peek();
  const pattern = token.kind === 'text' ? parsePrimary(cursor) : undefined;
  if (pattern === undefined || cursor.isOperator('||') || cursor.isOperator('::'))
    throw cursor.refusal('a pattern of ~ that is not a literal', token.start);
  return { kind: 'like', at, operator: '~', isNegated, value, pattern, escape: undefined };
}

function parseLike(cursor: Cursor, at: number, isNegated: boolean, value: Expression): Expression {
  const word = cursor.next().value;
  const operator = word === 'LIKE' || word === 'ILIKE' ? word : 'RLIKE';
  const quantifier = cursor.takeOneOf('ANY', 'ALL');
  if (quantifier !== undefined) return parseLikeOf(cursor, quantifier, { at, operator, isNegated, value });
  const pattern = parseConcatenation(cursor);
  const escape = cursor.takeWord('ESCAPE') ? parseConcatenation(cursor) : undefined;
  return { kind: 'like', at, operator, isNegated, value, pattern, escape };
}

/**
 * LIKE and ILIKE of several patterns. If a pattern is NULL, the result is NULL even where another one matches: only literals are
 * supported, and for these it is the same as a comparison with each.
 */
function parseLikeOf(
  cursor: Cursor,
  quantifier: string,
  like: Pick<Extract<Expression, { kind: 'like' }>, 'at' | 'operator' | 'isNegated' | 'value'>,
): Expression {
  const { at, operator, isNegated, value } = like;
  const what = `${operator} ${quantifier}`;
  if (operator === 'RLIKE' || cursor.warehouse === 'WAREHOUSE_TWO') throw cursor.refusal(what, at);
  if (operator === 'ILIKE' && quantifier === 'ALL')
    throw cursor.refusal(what, at, 'the warehouse has no such form');
  if (cursor.isOperator('(') && ['SELECT', 'WITH'].includes(cursor.peek(1).value))
    throw cursor.refusal(`${what} of a query`, at, 'use EXISTS with a query');
  if (isNegated) throw cursor.refusal(`NOT ${what}`, at, 'write NOT before the text: NOT name LIKE ANY (…)');
  const patterns = cursor.inParentheses(() =>
    cursor.list(() => {
      const pattern = parseConcatenation(cursor);
      if (pattern.kind === 'text') return pattern;
      throw cursor.refusal(`a pattern of ${what} that is not a literal`, pattern.at);
    }),
  );
  const escape = cursor.takeWord('ESCAPE') ? parseConcatenation(cursor) : undefined;
  const join = quantifier === 'ANY' ? 'OR' : 'AND';
  const each = patterns.map((pattern): Expression => ({
    kind: 'like',
    at,
    operator,
    isNegated: false,
    value,
    pattern,
    escape,
  }));
  cursor.limitChain(each.length);
  const [first, ...others] = each;
  if (first === undefined) throw cursor.unexpected('a pattern');
  return others.reduce(
    (left, right): Expression => ({ kind: 'binary', at, operator: join, left, right, isGrouped: true }),
    first,
  );
}

function parseItems(cursor: Cursor): Extract<Expression, { kind: 'in' }>['items'] {
  return cursor.inParentheses(() =>
    cursor.isWord('SELECT') || cursor.isWord('WITH')
      ? cursor.query()
      : cursor.list(() => cursor.expression()),
  );
}

export function parseConcatenation(cursor: Cursor): Expression {
  return chain(
    cursor,
    () => parseSum(cursor),
    () => (cursor.takeOperator('||') ? '||' : undefined),
  );
}

function parseSum(cursor: Cursor): Expression {
  return chain(
    cursor,
    () => parseProduct(cursor),
    () => takeAny(cursor, ['+', '-']),
  );
}

function parseProduct(cursor: Cursor): Expression {
  return chain(
    cursor,
    () => parseSign(cursor),
    () => takeAny(cursor, ['*', '/', '%']),
  );
}

function takeAny(cursor: Cursor, operators: readonly string[]): string | undefined {
  return operators.find((operator) => cursor.takeOperator(operator));
}

function parseSign(cursor: Cursor): Expression {
  const { at } = cursor;
  const operator = takeAny(cursor, ['-', '+']);
  if (operator === undefined) return parsePostfix(cursor);
  const value = cursor.nested(() => parseSign(cursor));
  return { kind: 'unary', at, operator: operator === '-' ? '-' : '+', value };
}

/** Casts and steps into semi-structured values. */
function parsePostfix(cursor: Cursor): Expression {
  let value = parsePrimary(cursor);
  for (let length = 1; ; length += 1) {
    cursor.limitChain(length);
    const { at } = cursor;
    if (cursor.takeOperator('::')) value = { kind: 'cast', at, value, type: parseType(cursor), isTry: false };
    else if (cursor.isOperator('[') || (cursor.isOperator(':') && cursor.warehouse === 'WAREHOUSE_ONE'))
      value = { kind: 'path', at, value, steps: parseSteps(cursor) };
    else if (cursor.isOperator('.') && cursor.warehouse === 'WAREHOUSE_TWO')
      throw cursor.refusal('a path into a SUPER value');
    else return value;
  }
}

function parseSteps(cursor: Cursor): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  if (cursor.takeOperator(':')) steps.push(stepName(cursor));
  for (;;) {
    if (cursor.takeOperator('[')) {
      steps.push(bracketStep(cursor));
      cursor.expectOperator(']');
    } else if (cursor.takeOperator('.')) steps.push(stepName(cursor));
    else return steps;
  }
}

function bracketStep(cursor: Cursor): string | number {
  const token = cursor.peek();
  if (token.kind === 'text') return cursor.next().value;
  if (token.kind === 'number') return cursor.integer();
  if (cursor.isOperator('-') && cursor.peek(1).kind === 'number')
    throw cursor.refusal(
      'a negative index',
      cursor.at,
      'count from the start of the array: the first item has the index 0',
    );
  throw cursor.refusal('an index that is not a literal');
}

/** Keys are compared with case, quoted or not; `WAREHOUSE_TWO` reads them in lower case, as all names. */
function stepName(cursor: Cursor): string {
  if (cursor.isOperator('[')) throw cursor.refusal('a path that begins with [', cursor.at, 'leave the : out');
  const { text } = cursor.label();
  return cursor.warehouse === 'WAREHOUSE_TWO' ? lowerAscii(text) : text;
}
