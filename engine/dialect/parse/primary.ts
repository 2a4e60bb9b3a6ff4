import type { Expression, Interval } from './tree.ts';
import { parseCall, parseCallWithoutParentheses } from './call.ts';
import type { Cursor } from './cursor.ts';
import { parseType } from './type-name.ts';

/** Words that never start a value. */
const RESERVED = new Set(
  `SELECT FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS ON USING JOIN INNER LEFT RIGHT
  FULL CROSS NATURAL AS AND OR WHEN THEN ELSE END BETWEEN IN LIKE ILIKE RLIKE IS SET VALUES WITH INTO WINDOW`.split(
    /\s+/,
  ),
);
/** Types before a text that no page of a warehouse mentions there, although it may take them. */
const OTHER_TYPED_TEXTS = new Set(
  `BIGINT BOOL BOOLEAN BPCHAR CHAR DECIMAL DOUBLE FLOAT INT INTEGER NUMERIC REAL SMALLINT TEXT TIMETZ VARCHAR`.split(
    ' ',
  ),
);
const TYPED_TEXTS = new Set(['DATE', 'TIMESTAMP', 'TIME', 'TIMESTAMP_NTZ', 'TIMESTAMPTZ', 'TIMESTAMP_LTZ']);

/** Parses a value that is not combined with an operator. */
export function parsePrimary(cursor: Cursor): Expression {
  const token = cursor.peek();
  const { start: at } = token;
  if (token.kind === 'number' || token.kind === 'text') {
    cursor.next();
    return { kind: token.kind, at, value: token.value };
  }
  if (cursor.isOperator('(')) return parseGroup(cursor);
  if (token.kind === 'word') return parseWord(cursor);
  if (token.kind === 'quoted') return parseNames(cursor);
  if (cursor.isOperator('[') || cursor.isOperator('{'))
    throw cursor.refusal(token.raw === '[' ? 'an array literal' : 'an object literal');
  if (cursor.isOperator(':') && cursor.peek(1).kind === 'word')
    throw cursor.refusal(
      `:${cursor.peek(1).raw}, a variable of a block`,
      token.start,
      'use a variable of the pipeline instead',
    );
  if (cursor.isOperator('||') && cursor.isOperator('/', 1))
    throw cursor.refusal('the operator ||/', at, 'use POWER');
  throw cursor.unexpected('a value');
}

function parseGroup(cursor: Cursor): Expression {
  const { at } = cursor;
  return cursor.inParentheses((): Expression => {
    if (cursor.isWord('SELECT') || cursor.isWord('WITH'))
      return { kind: 'subquery', at, query: cursor.query() };
    const value = cursor.expression();
    if (cursor.isOperator(',')) throw cursor.refusal('a list of values in parentheses', at);
    return { ...value, isGrouped: true };
  });
}

function parseWord(cursor: Cursor): Expression {
  const { value: word, start: at } = cursor.peek();
  const isCall = cursor.isOperator('(', 1);
  if (word === 'CASE') return parseCase(cursor);
  if (word === 'NULL' || word === 'TRUE' || word === 'FALSE') {
    cursor.next();
    return word === 'NULL' ? { kind: 'null', at } : { kind: 'boolean', at, value: word === 'TRUE' };
  }
  if (isCall && (word === 'CAST' || word === 'TRY_CAST')) return parseCast(cursor);
  if (isCall && word === 'EXISTS') {
    cursor.next();
    return { kind: 'exists', at, query: cursor.inParentheses(() => cursor.query()) };
  }
  if (isCall && word === 'EXTRACT') return parseExtract(cursor);
  if (isCall && word === 'POSITION') return parsePosition(cursor);
  if (word === 'INTERVAL' && cursor.peek(1).raw !== '.') return parseInterval(cursor);
  if (TYPED_TEXTS.has(word) && cursor.peek(1).kind === 'text') {
    const type = parseType(cursor);
    return {
      kind: 'cast',
      at,
      type,
      isTry: false,
      value: { kind: 'text', at: cursor.at, value: cursor.next().value },
    };
  }
  const next = cursor.peek(1);
  if (next.kind === 'text' && (next.start === cursor.peek().end || OTHER_TYPED_TEXTS.has(word)))
    throw cursor.refusal(`${word} before a text`, at, 'write the text without this word, and cast it');
  if (isCall && !RESERVED.has(word)) return parseCall(cursor);
  if (isCall && ['LEFT', 'RIGHT', 'RLIKE'].includes(word)) return parseCall(cursor);
  if (isCall && (word === 'LIKE' || word === 'ILIKE')) throw cursor.refusal(`the function ${word}`);
  if (RESERVED.has(word)) throw cursor.unexpected('a value');
  return parseCallWithoutParentheses(cursor) ?? parseNames(cursor);
}

function parseNames(cursor: Cursor): Expression {
  const { at } = cursor;
  const parts = [cursor.name('value')];
  while (cursor.takeOperator('.')) parts.push(cursor.laterName());
  if (parts.length > 4) throw cursor.refusal('a name with more than four parts', at);
  if (cursor.isOperator('(')) return parseCall(cursor, parts);
  return { kind: 'column', at, parts };
}

function parseCase(cursor: Cursor): Expression {
  const { at } = cursor;
  cursor.expectWord('CASE');
  const subject = cursor.isWord('WHEN') ? undefined : cursor.expression();
  const branches: { when: Expression; result: Expression }[] = [];
  while (cursor.takeWord('WHEN')) {
    const when = cursor.expression();
    cursor.expectWord('THEN');
    branches.push({ when, result: cursor.expression() });
  }
  if (branches.length === 0) throw cursor.unexpected('WHEN');
  const otherwise = cursor.takeWord('ELSE') ? cursor.expression() : undefined;
  cursor.expectWord('END');
  return { kind: 'case', at, subject, branches, otherwise };
}

function parseCast(cursor: Cursor): Expression {
  const { at } = cursor;
  const isTry = cursor.next().value === 'TRY_CAST';
  return cursor.inParentheses(() => {
    const value = cursor.expression();
    cursor.expectWord('AS');
    return { kind: 'cast', at, value, type: parseType(cursor), isTry };
  });
}

/** `EXTRACT(unit FROM x)`: a call whose first argument is the unit. */
function parseExtract(cursor: Cursor): Expression {
  const { at } = cursor;
  cursor.next();
  return cursor.inParentheses(() => {
    const unit: Expression = { kind: 'text', at: cursor.at, value: cursor.next().value };
    cursor.expectWord('FROM');
    return plainCall(at, 'EXTRACT', [unit, cursor.expression()]);
  });
}

/**
 * `POSITION(a IN b)`, and in `WAREHOUSE_ONE` `POSITION(a, b)`: `a` must end before the word IN, which is an operator
 * elsewhere.
 */
function parsePosition(cursor: Cursor): Expression {
  const { at } = cursor;
  cursor.next();
  return cursor.inParentheses(() => {
    const needle = cursor.operand();
    if (cursor.takeWord('IN')) return plainCall(at, 'POSITION', [needle, cursor.expression()]);
    if (cursor.warehouse === 'WAREHOUSE_TWO' && cursor.isOperator(','))
      throw cursor.wrong(
        'the arguments of POSITION are not separated by a comma: write POSITION(text IN value), or STRPOS(value, text)',
      );
    cursor.expectOperator(',');
    return plainCall(at, 'POSITION', [needle, ...cursor.list(() => cursor.expression())]);
  });
}

function plainCall(at: number, name: string, values: readonly Expression[]): Expression {
  return {
    kind: 'call',
    at,
    name,
    values,
    named: new Map(),
    isDistinct: false,
    star: undefined,
    hasParentheses: true,
    ignoresNulls: false,
    withinGroup: undefined,
    window: undefined,
  };
}

function parseInterval(cursor: Cursor): Interval {
  const { at } = cursor;
  cursor.expectWord('INTERVAL');
  const { at: start } = cursor;
  const value = parsePrimary(cursor);
  if (value.kind !== 'text')
    throw cursor.wrong(
      "INTERVAL must be followed by a text: write INTERVAL '1 day', or use DATEADD for a calculated amount",
      start,
    );
  const isInText = value.kind === 'text' && /[a-z]/i.test(value.value);
  if (isInText) return { kind: 'interval', at, value, unit: undefined };
  const token = cursor.peek();
  if (token.kind !== 'word') throw cursor.unexpected('the unit of the interval');
  cursor.next();
  if (cursor.isWord('TO')) throw cursor.refusal(`INTERVAL … ${token.value} TO`, at);
  return { kind: 'interval', at, value, unit: token.value };
}
