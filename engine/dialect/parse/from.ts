import type { Expression, FromItem, Join, Name } from './tree.ts';
import { isAliasAhead, parseAlias } from './alias.ts';
import { parseCall } from './call.ts';
import type { Cursor } from './cursor.ts';
import { parsePivots } from './pivot.ts';

/** Parses the tables after FROM, which are separated by commas or joins. */
export function parseFrom(cursor: Cursor): FromItem {
  let left = parseJoins(cursor);
  for (let length = 1; cursor.isOperator(','); length += 1) {
    const { at } = cursor;
    cursor.limitChain(length);
    cursor.next();
    left = join(at, 'CROSS', left, parseJoins(cursor));
  }
  return left;
}

function join(at: number, how: Join['how'], left: FromItem, right: FromItem): Join {
  return { kind: 'join', at, how, left, right, isNatural: false, on: undefined, using: undefined };
}

function parseJoins(cursor: Cursor): FromItem {
  let left = parsePivots(cursor, parseTable(cursor));
  for (let length = 1; ; length += 1) {
    const { at } = cursor;
    cursor.limitChain(length);
    if (cursor.isWord('ASOF')) throw cursor.refusal('ASOF JOIN');
    const isNatural = cursor.takeWord('NATURAL');
    const how = takeJoin(cursor);
    if (how === undefined && !isNatural) return left;
    if (how === undefined) throw cursor.unexpected('JOIN');
    const right = parsePivots(cursor, parseTable(cursor));
    left = { ...join(at, how, left, right), isNatural, ...parseCondition(cursor, how, isNatural) };
  }
}

function takeJoin(cursor: Cursor): Join['how'] | undefined {
  if (cursor.takeWord('JOIN') || cursor.takeWord('INNER', 'JOIN')) return 'INNER';
  if (cursor.takeWord('CROSS', 'JOIN')) return 'CROSS';
  for (const side of ['LEFT', 'RIGHT', 'FULL'] as const)
    if (cursor.takeWord(side, 'OUTER', 'JOIN') || cursor.takeWord(side, 'JOIN')) return side;
  return undefined;
}

function parseCondition(
  cursor: Cursor,
  how: Join['how'],
  isNatural: boolean,
): { on: Expression | undefined; using: readonly Name[] | undefined } {
  const none = { on: undefined, using: undefined };
  if (how === 'CROSS' || isNatural) return none;
  if (cursor.takeWord('ON')) return { ...none, on: cursor.expression() };
  if (cursor.takeWord('USING'))
    return { ...none, using: cursor.inParentheses(() => cursor.list(() => cursor.name())) };
  if (how === 'INNER' && cursor.warehouse === 'WAREHOUSE_ONE') return none;
  if (cursor.warehouse === 'WAREHOUSE_ONE')
    throw cursor.refusal(`${how} JOIN without ON or USING`, cursor.at, 'write ON TRUE');
  throw cursor.unexpected('ON or USING');
}

export function parseTable(cursor: Cursor): FromItem {
  const token = cursor.peek();
  const { start: at } = token;
  if (token.kind === 'component') {
    cursor.next();
    return { kind: 'component', at, name: token.value, alias: parseAlias(cursor) };
  }
  // Without parentheses only in this kind of warehouse.
  if (cursor.warehouse === 'WAREHOUSE_ONE' && cursor.isOperator('(', 1) && cursor.takeWord('VALUES'))
    return { kind: 'values', at, rows: parseRows(cursor), alias: parseAlias(cursor) };
  if (cursor.isWord('LATERAL') && cursor.warehouse === 'WAREHOUSE_TWO')
    throw cursor.refusal('LATERAL', at, 'the warehouse has no such clause: join a query in FROM');
  const isLateral = cursor.takeWord('LATERAL');
  if (cursor.isOperator('(')) return parseParentheses(cursor, at, isLateral);
  if (cursor.isOperator('(', 1)) return parseTableFunction(cursor, at);
  if (isLateral) throw cursor.unexpected('FLATTEN or a query');
  return { kind: 'table', at, parts: cursor.names('table'), alias: parseAlias(cursor) };
}

function parseParentheses(cursor: Cursor, at: number, isLateral: boolean): FromItem {
  cursor.expectOperator('(');
  refuseConstantTable(cursor);
  if (cursor.takeWord('VALUES')) {
    const rows = parseRows(cursor);
    cursor.expectOperator(')');
    return { kind: 'values', at, rows, alias: parseAlias(cursor) };
  }
  if (!startsQuery(cursor)) {
    const inner = cursor.nested(() => parseFrom(cursor));
    cursor.expectOperator(')');
    if (isAliasAhead(cursor)) throw cursor.refusal('an alias for joined tables in parentheses');
    return inner;
  }
  const query = cursor.query();
  cursor.expectOperator(')');
  return { kind: 'derived', at, query, isLateral, alias: parseAlias(cursor) };
}

/** Refuses VALUES as a table in `WAREHOUSE_TWO`, where VALUES is only allowed in INSERT. */
export function refuseConstantTable(cursor: Cursor): void {
  if (cursor.warehouse === 'WAREHOUSE_TWO' && cursor.isWord('VALUES') && cursor.isOperator('(', 1))
    throw cursor.refusal(
      'VALUES as a table',
      cursor.at,
      'the warehouse has no such table: write SELECT … UNION ALL SELECT …',
    );
}

/** Words after a query in parentheses that continue the query around it. */
const GO_ON = new Set(`UNION EXCEPT MINUS INTERSECT ORDER LIMIT OFFSET FETCH`.split(' '));

/** `((SELECT …) UNION …)` starts with parentheses, and so do joined tables, also `((SELECT …) AS a JOIN …)`. */
function startsQuery(cursor: Cursor): boolean {
  let ahead = 0;
  while (cursor.isOperator('(', ahead)) ahead += 1;
  if (!['SELECT', 'WITH'].includes(cursor.peek(ahead).value)) return false;
  if (ahead === 0) return true;
  const next = cursor.peek(afterParentheses(cursor));
  return next.raw === ')' || GO_ON.has(next.value);
}

/** How far ahead the token is after the parentheses that begin here. */
function afterParentheses(cursor: Cursor): number {
  let depth = 0;
  for (let ahead = 0; ; ahead += 1) {
    if (cursor.peek(ahead).kind === 'end') return ahead;
    if (cursor.isOperator('(', ahead)) depth += 1;
    if (cursor.isOperator(')', ahead)) depth -= 1;
    if (depth === 0) return ahead + 1;
  }
}

function parseTableFunction(cursor: Cursor, at: number): FromItem {
  const isWrapped = cursor.takeWord('TABLE') && cursor.takeOperator('(');
  const name = cursor.peek().raw;
  const isGenerator = cursor.isWord('GENERATOR');
  const isKnown = isGenerator || cursor.isWord('FLATTEN') || cursor.isWord('SPLIT_TO_TABLE');
  if (!isKnown || cursor.warehouse !== 'WAREHOUSE_ONE')
    throw cursor.refusal(`the table function ${name.toUpperCase()}`);
  const call = parseCall(cursor);
  if (isWrapped) cursor.expectOperator(')');
  return { kind: isGenerator ? 'generator' : 'flatten', at, call, alias: parseAlias(cursor) };
}

export function parseRows(cursor: Cursor): readonly (readonly Expression[])[] {
  return cursor.list(() => cursor.inParentheses(() => cursor.list(() => cursor.expression())));
}
