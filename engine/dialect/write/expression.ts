import type { SqlType } from '../../core/sql-type.ts';
import type { Expression } from '../parse/tree.ts';
import { takenElementSql } from '../../duckdb/values/undefined-element.ts';
import { asNumber } from './casts/as-number.ts';
import { readPattern } from './functions/patterns.ts';
import { writeCall } from './call.ts';
import { pathText, writeColumn } from './query/columns.ts';
import { commonType, convert, expectBoolean, expectText } from './casts/convert.ts';
import { markOuterReads, refuseListed } from './query/correlation.ts';
import { explicitCast, readsTable } from './casts/explicit-cast.ts';
import { addInterval } from './operators/interval.ts';
import { joinTexts } from './operators/join-texts.ts';
import { arithmetic, comparable, compare, negate, numberLiteral } from './operators/operators.ts';
import { BOOLEAN, quoteText, TEXT, type Typed } from './sql/typed.ts';
import { columnText, isOne, NO_NAMES, refusal, write, type Writing } from './sql/writing.ts';

type Of<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

/** Translates an expression to DuckDB's SQL. */
export function writeExpression(node: Expression, writing: Writing): Typed {
  switch (node.kind) {
    case 'text':
      if (/[\0\u0001]/.test(node.value)) throw refusal('the character U+0000 in a text', node.at, writing);
      return { sql: quoteText(node.value), type: literalType(node.value, writing), text: node.value };
    case 'number':
      return numberLiteral(node.value, node.at, writing);
    case 'boolean':
      return { sql: node.value ? 'TRUE' : 'FALSE', type: BOOLEAN };
    case 'null':
      return { sql: 'NULL', type: { name: 'NULL' } };
    case 'column':
      return writeColumn(node.parts, node.at, writing);
    case 'unary':
      return writeUnary(node, writing);
    case 'binary':
      return writeBinary(node, writing);
    case 'like':
      return writeLike(node, writing);
    case 'between':
      return writeBetween(node, writing);
    case 'in':
      return writeIn(node, writing);
    case 'is':
      return writeIs(node, writing);
    case 'case':
      return writeCase(node, writing);
    case 'cast':
      return explicitCast(write(node.value, writing), node.type, node.at, writing, {
        isTry: node.isTry,
        isOfTable: !isOne(writing) && readsTable(node.value, writing),
      });
    case 'exists': {
      const query = subquery(node.query, writing);
      refuseListed('EXISTS', node.query, 0, writing);
      return { sql: `EXISTS (${query.sql})`, type: BOOLEAN };
    }
    case 'subquery':
      return writeScalarQuery(node, writing);
    case 'interval':
      throw refusal('an INTERVAL that is not added to a date', node.at, writing);
    case 'path':
      return writePath(node, writing);
    case 'call':
      return writeCall(node, writing);
  }
}

/**
 * In `WAREHOUSE_ONE`, the type of a text literal has the length of the text. An empty literal limits nothing by
 * itself (see `lengthSql`).
 */
function literalType(text: string, writing: Writing): SqlType {
  return isOne(writing) ? { name: 'VARCHAR', length: Array.from(text).length } : TEXT;
}

function subquery(query: Of<'subquery'>['query'], writing: Writing): ReturnType<Writing['session']['query']> {
  return writing.session.query(query, { ...writing, names: { ...NO_NAMES, outer: writing.names } });
}

function writeScalarQuery(node: Of<'subquery'>, writing: Writing): Typed {
  const query = subquery(node.query, writing);
  const [column] = query.columns;
  if (column === undefined || query.columns.length > 1)
    throw refusal('a subquery with several columns where a single value is expected', node.at, writing);
  return { sql: `(${query.sql})`, type: column.type };
}

function writeUnary(node: Of<'unary'>, writing: Writing): Typed {
  const value = write(node.value, writing);
  if (node.operator === 'NOT')
    return { sql: `(NOT ${expectBoolean(value, node.at, writing).sql})`, type: BOOLEAN };
  return node.operator === '-' ? negate(value, node.at, writing) : asNumber(value, node.at, writing);
}

function writeBinary(node: Of<'binary'>, writing: Writing): Typed {
  const { operator, at } = node;
  if (node.right.kind === 'interval' || node.left.kind === 'interval') return addInterval(node, writing);
  const left = write(node.left, writing);
  const right = write(node.right, writing);
  if (operator === 'AND' || operator === 'OR') {
    const a = expectBoolean(left, at, writing);
    const b = expectBoolean(right, at, writing);
    return { sql: `(${a.sql} ${operator} ${b.sql})`, type: BOOLEAN };
  }
  if (operator === '||') {
    refuseMix(node.left, writing);
    refuseMix(node.right, writing);
    return joinTexts([left, right], at, writing);
  }
  if (['+', '-', '*', '/', '%'].includes(operator)) return arithmetic(operator, left, right, at, writing);
  return compare(operator, left, right, at, writing);
}

/** Warehouses differ in which of `||` and `+` binds stronger. */
function refuseMix(operand: Expression, writing: Writing): void {
  if (operand.kind === 'binary' && /^[-+]$/.test(operand.operator) && !operand.isGrouped)
    throw refusal(
      `|| and ${operand.operator} in one expression without parentheses`,
      operand.at,
      writing,
      'add parentheses, because warehouses differ in which of the two they compute first',
    );
}

function writeLike(node: Of<'like'>, writing: Writing): Typed {
  const value = expectText(write(node.value, writing), node.at, writing).sql;
  const not = node.isNegated ? 'NOT ' : '';
  if (node.operator === '~' || node.operator === 'RLIKE') {
    const isAnywhere = node.operator === '~';
    if (isOne(writing) === isAnywhere || node.escape) throw refusal(node.operator, node.at, writing);
    const { sql } = readPattern(write(node.pattern, writing), node.pattern.at, writing);
    const matches = isAnywhere ? 'regexp_matches' : 'regexp_full_match';
    return { sql: `(${not}${matches}(${value}, ${sql}))`, type: BOOLEAN };
  }
  const pattern = expectText(write(node.pattern, writing), node.at, writing).sql;
  if (node.pattern.kind === 'text' && node.pattern.value.includes('\\') && !node.escape)
    throw refusal(`a backslash in ${node.operator}`, node.at, writing, 'add an ESCAPE character');
  const escape = node.escape ? expectText(write(node.escape, writing), node.at, writing).sql : undefined;
  const like = { value, pattern, escape, operator: node.operator };
  const [left, operator, right, by] = isOne(writing)
    ? [value, node.operator, pattern, escape]
    : likeOfTwo(like, node.pattern.kind === 'text');
  const ending = by === undefined ? '' : ` ESCAPE ${by}`;
  return { sql: `(${left} ${not}${operator} ${right}${ending})`, type: BOOLEAN };
}

interface Like {
  readonly value: string;
  readonly pattern: string;
  readonly escape: string | undefined;
  readonly operator: string;
}

/**
 * In `WAREHOUSE_TWO`, ILIKE ignores the case of ASCII letters only, and a backslash is the escape character by
 * default; DuckDB has no default.
 */
function likeOfTwo(
  { value, pattern, escape, operator }: Like,
  isLiteral: boolean,
): readonly [value: string, operator: string, pattern: string, escape: string | undefined] {
  const message = 'Millrace does not support a backslash in the pattern of LIKE; add an ESCAPE character';
  const checked =
    isLiteral || escape !== undefined
      ? pattern
      : `CASE WHEN contains(${pattern}, '\\') THEN error('${message}') ELSE ${pattern} END`;
  if (operator !== 'ILIKE') return [value, operator, checked, escape];
  const folded = (text: string) => `translate(${text}, '${UPPER_CASE}', '${UPPER_CASE.toLowerCase()}')`;
  return [folded(value), 'LIKE', folded(checked), escape === undefined ? undefined : folded(escape)];
}

const UPPER_CASE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function writeBetween(node: Of<'between'>, writing: Writing): Typed {
  const value = write(node.value, writing);
  const low = compare('>=', value, write(node.low, writing), node.at, writing);
  const high = compare('<=', value, write(node.high, writing), node.at, writing);
  const both = `(${low.sql} AND ${high.sql})`;
  return { sql: node.isNegated ? `(NOT ${both})` : both, type: BOOLEAN };
}

function writeIn(node: Of<'in'>, writing: Writing): Typed {
  const value = write(node.value, writing);
  const not = node.isNegated ? 'NOT ' : '';
  if (!('body' in node.items)) {
    const pairs = node.items.map((item) => comparable(value, write(item, writing), node.at, writing));
    const compared = pairs[0]?.[0].sql ?? value.sql;
    if (pairs.every(([left]) => left.sql === compared))
      return {
        sql: `(${compared} ${not}IN (${pairs.map(([, right]) => right.sql).join(', ')}))`,
        type: BOOLEAN,
      };
    const items = pairs.map(([left, right]) => `${left.sql} = ${right.sql}`);
    return { sql: `(${not}(${items.join(' OR ')}))`, type: BOOLEAN };
  }
  const since = markOuterReads(writing);
  const query = subquery(node.items, writing);
  refuseListed('IN', node.items, since, writing);
  const [column] = query.columns;
  if (column === undefined || query.columns.length > 1)
    throw refusal('IN with a query of several columns', node.at, writing);
  const inner = writing.session.fresh('q');
  const [left, right] = comparable(
    value,
    { sql: `${inner}."${column.name.replaceAll('"', '""')}"`, type: column.type },
    node.at,
    writing,
  );
  return {
    sql: `(${left.sql} ${not}IN (SELECT ${right.sql} FROM (${query.sql}) AS ${inner}))`,
    type: BOOLEAN,
  };
}

function writeIs(node: Of<'is'>, writing: Writing): Typed {
  const value = write(node.value, writing);
  const not = node.isNegated ? 'NOT ' : '';
  const tested = node.what === 'NULL' ? value : expectBoolean(value, node.at, writing);
  const what = node.what === 'UNKNOWN' ? 'NULL' : node.what;
  return { sql: `(${tested.sql} IS ${not}${what})`, type: BOOLEAN };
}

function writeCase(node: Of<'case'>, writing: Writing): Typed {
  const subject = node.subject && write(node.subject, writing);
  const whens = node.branches.map(({ when }) => {
    const value = write(when, writing);
    return subject ? compare('=', subject, value, when.at, writing) : expectBoolean(value, when.at, writing);
  });
  const results = [
    ...node.branches.map((branch) => branch.result),
    ...(node.otherwise ? [node.otherwise] : []),
  ];
  const values = results.map((result) => write(result, writing));
  const type = commonType(values, node.at, writing);
  const sql = values.map((value) =>
    value.type.name === 'NULL' ? 'NULL' : convert(value, type, node.at, writing).sql,
  );
  const branches = whens.map((when, index) => ` WHEN ${when.sql} THEN ${sql[index]}`).join('');
  return { sql: `CASE${branches}${node.otherwise ? ` ELSE ${sql.at(-1)}` : ''} END`, type };
}

function writePath(node: Of<'path'>, writing: Writing): Typed {
  const value = write(node.value, writing);
  if (value.type.name !== 'VARIANT')
    throw refusal(
      `a path into a value of type ${value.type.name}${columnText(node.value, writing)}`,
      node.at,
      writing,
    );
  const part = `(${value.sql} -> ${quoteText(pathText(node.steps, node.at, writing))})`;
  const isItem = typeof node.steps.at(-1) === 'number';
  return { sql: isItem ? takenElementSql(part) : part, type: value.type };
}
