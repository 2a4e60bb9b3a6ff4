import { upperAscii } from '../../core/ascii-case.ts';
import type { Call, Expression, Frame, Name, OrderItem, Window } from './tree.ts';
import { parseStar } from './star.ts';
import { type Cursor, shortened } from './cursor.ts';

/** Functions that are written without parentheses. */
const WITHOUT_PARENTHESES = new Set([
  'CURRENT_TIMESTAMP',
  'CURRENT_DATE',
  'CURRENT_TIME',
  'LOCALTIMESTAMP',
  'LOCALTIME',
  'SYSDATE',
  'CURRENT_USER',
]);

/** Functions whose first argument is a unit of time: a bare word there is not a column. */
const UNIT_FIRST = new Set([
  'DATEADD',
  'DATEDIFF',
  'DATE_TRUNC',
  'DATE_PART',
  'TIMESTAMPADD',
  'TIMESTAMPDIFF',
  'TIMEADD',
  'TIMEDIFF',
  'DATE_ADD',
  'DATE_DIFF',
]);

const PLAIN = {
  kind: 'call',
  named: new Map<string, Expression>(),
  isDistinct: false,
  star: undefined,
  ignoresNulls: false,
  withinGroup: undefined,
  window: undefined,
} as const;

export function parseCallWithoutParentheses(cursor: Cursor): Call | undefined {
  const token = cursor.peek();
  if (!WITHOUT_PARENTHESES.has(token.value) || cursor.isOperator('.', 1)) return undefined;
  if (token.value === 'SYSDATE' && cursor.warehouse === 'WAREHOUSE_ONE') return undefined;
  cursor.next();
  return { ...PLAIN, at: token.start, name: token.value, values: [], hasParentheses: false };
}

const FILTER = 'FILTER (WHERE …)';
const NO_FILTER =
  'the warehouse has no such clause; use CASE WHEN condition THEN value END as the argument of the aggregate';

/** Parses a call `name(arguments)`, with everything that may follow it, such as OVER. */
export function parseCall(cursor: Cursor, path?: readonly Name[]): Call {
  const { name, at } = path === undefined ? plainName(cursor) : pathName(path);
  const named = new Map<string, Expression>();
  const values: Expression[] = [];
  if (cursor.isOperator('+', 1) && cursor.isOperator(')', 2))
    throw cursor.refusal(
      'the operator (+) for an outer join',
      undefined,
      'write LEFT JOIN … ON or RIGHT JOIN … ON in FROM',
    );
  if (cursor.warehouse === 'WAREHOUSE_TWO' && path === undefined) refuseFormOfOne(cursor, name, at);
  cursor.expectOperator('(');
  const isDistinct = cursor.takeWord('DISTINCT');
  const star = parseStar(cursor);
  if (star === undefined && !cursor.isOperator(')')) readArguments(cursor, name, values, named);
  refuseFrom(cursor, name);
  const nullsInside = takeNulls(cursor);
  if (cursor.isWord('ORDER', 'BY')) throw cursor.refusal(`ORDER BY in the arguments of ${name}`);
  cursor.expectOperator(')');
  const withinGroup = cursor.takeWord('WITHIN', 'GROUP')
    ? cursor.inParentheses(() => parseOrder(cursor))
    : undefined;
  if (cursor.isWord('FILTER') && cursor.isOperator('(', 1))
    throw cursor.refusal(FILTER, undefined, NO_FILTER);
  const nullsAfter = takeNulls(cursor);
  const window = cursor.takeWord('OVER') ? parseWindow(cursor) : undefined;
  return {
    kind: 'call',
    at,
    name,
    ...(path && { path }),
    values,
    named,
    isDistinct,
    star,
    hasParentheses: true,
    ignoresNulls: nullsInside || nullsAfter,
    withinGroup,
    window,
  };
}

/** Refuses forms of a call that only `WAREHOUSE_ONE` has. */
function refuseFormOfOne(cursor: Cursor, name: string, at: number): void {
  if (WITHOUT_PARENTHESES.has(name))
    throw cursor.wrong(`${name} is written without parentheses: leave them out`, at);
  const unit = cursor.peek(1);
  if (name === 'DATE_TRUNC' && unit.kind === 'word' && cursor.isOperator(',', 2))
    throw cursor.wrong(`the unit of DATE_TRUNC must be a text: write '${shortened(unit.raw)}'`, unit.start);
}

/** The functions of which the SQL standard writes `FROM` between the arguments. */
const WITH_FROM = new Map([
  ['TRIM', 'write TRIM(text, characters), LTRIM(text, characters) or RTRIM(text, characters)'],
  ['SUBSTRING', 'write SUBSTRING(text, start, length)'],
]);

function refuseFrom(cursor: Cursor, name: string): void {
  const hint = WITH_FROM.get(name);
  const isSide =
    ['BOTH', 'LEADING', 'TRAILING'].includes(cursor.peek(-1).value) && cursor.peek().kind === 'text';
  if (hint !== undefined && (cursor.isWord('FROM') || isSide))
    throw cursor.refusal(`${name}(… FROM …)`, undefined, hint);
}

function plainName(cursor: Cursor): { name: string; at: number } {
  const { value, start } = cursor.next();
  return { name: value, at: start };
}

function pathName(path: readonly Name[]): { name: string; at: number } {
  return { name: path.map(({ text }) => text).join('.'), at: path[0]?.at ?? 0 };
}

function takeNulls(cursor: Cursor): boolean {
  if (cursor.takeWord('RESPECT', 'NULLS')) return false;
  return cursor.takeWord('IGNORE', 'NULLS');
}

function readArguments(
  cursor: Cursor,
  name: string,
  values: Expression[],
  named: Map<string, Expression>,
): void {
  do {
    if (cursor.isOperator('=>', 1)) {
      const key = upperAscii(cursor.next().raw);
      cursor.next();
      if (named.has(key)) throw cursor.refusal(`${key} twice`);
      named.set(key, cursor.expression());
    } else if (isUnit(cursor, name, values.length)) {
      const token = cursor.next();
      values.push({ kind: 'text', at: token.start, value: token.raw });
    } else values.push(cursor.expression());
  } while (cursor.takeOperator(','));
}

/** A unit of time that is written as a word. */
function isUnit(cursor: Cursor, name: string, index: number): boolean {
  if (cursor.peek().kind !== 'word') return false;
  if (index === 0) return UNIT_FIRST.has(name) && cursor.isOperator(',', 1);
  return index === 1 && name === 'LAST_DAY' && cursor.isOperator(')', 1);
}

export function parseOrder(cursor: Cursor): readonly OrderItem[] {
  cursor.expectWord('ORDER', 'BY');
  return cursor.list(() => {
    const value = cursor.expression();
    const isDescending = cursor.takeOneOf('ASC', 'DESC') === 'DESC';
    const nulls = cursor.takeWord('NULLS')
      ? (['FIRST', 'LAST'] as const).find((word) => cursor.takeWord(word))
      : undefined;
    return { value, isDescending, nulls };
  });
}

function parseWindow(cursor: Cursor): Window {
  if (!cursor.isOperator('('))
    throw cursor.refusal('a named window', undefined, 'write the definition of the window into OVER (…)');
  return cursor.inParentheses(() => {
    const partitions = cursor.takeWord('PARTITION', 'BY') ? cursor.list(() => cursor.expression()) : [];
    const order = cursor.isWord('ORDER') ? parseOrder(cursor) : [];
    return { partitions, order, frame: parseFrame(cursor) };
  });
}

function parseFrame(cursor: Cursor): Frame | undefined {
  const unit = cursor.takeWord('ROWS') ? 'ROWS' : cursor.takeWord('RANGE') ? 'RANGE' : undefined;
  if (unit === undefined) return undefined;
  if (!cursor.takeWord('BETWEEN')) return { unit, from: parseBound(cursor), to: 'CURRENT ROW' };
  const from = parseBound(cursor);
  cursor.expectWord('AND');
  const to = parseBound(cursor);
  if (cursor.isWord('EXCLUDE'))
    throw cursor.refusal('EXCLUDE in a window', undefined, 'the warehouse has no such clause: leave it out');
  return { unit, from, to };
}

function parseBound(cursor: Cursor): string {
  if (cursor.takeWord('CURRENT', 'ROW')) return 'CURRENT ROW';
  const amount = cursor.takeWord('UNBOUNDED') ? 'UNBOUNDED' : String(cursor.rowCount());
  const side = cursor.takeOneOf('PRECEDING', 'FOLLOWING');
  if (side === undefined) throw cursor.unexpected('PRECEDING or FOLLOWING');
  return `${amount} ${side}`;
}
