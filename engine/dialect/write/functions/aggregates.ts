import { isOne, refusal } from '../sql/writing.ts';
import { typedKeySql } from '../../../duckdb/values/order-key.ts';
import { comparedText, extremeText } from '../sql/equal-texts.ts';
import { checkedSum } from '../casts/checked-number.ts';
import { exactQuotient } from '../operators/exact.ts';
import { floatOfText, STATISTICS } from './statistics.ts';
import { finite } from '../casts/floats.ts';
import { quotientType } from '../operators/operators.ts';
import { BOOLEAN, decimal, digitsOf, duckType, type Typed } from '../sql/typed.ts';
import { type FunctionRule, type TypedCall, OVER, type Rules } from './rule.ts';

function distinct(call: TypedCall): string {
  return call.parsed.isDistinct ? 'DISTINCT ' : '';
}

function first(call: TypedCall): Typed {
  const [value] = call.values;
  if (value === undefined) throw new Error('no argument');
  return value;
}

function count(call: TypedCall): Typed | undefined {
  const type = isOne(call.writing) ? decimal(18, 0) : { name: 'BIGINT' as const };
  if ((call.parsed.star !== undefined) !== (call.values.length === 0)) return undefined;
  const what = call.parsed.star
    ? '*'
    : `${distinct(call)}${counted(call.parsed.isDistinct ? call.values.map((value) => ({ ...value, sql: comparedText(value, call.writing.session.context.warehouse) })) : call.values)}`;
  return { sql: `count(${what})${OVER}`, type, isInteger: true };
}

/** Counts several values together: a row counts if none of them is NULL. */
function counted(values: readonly Typed[]): string {
  const sql = values.map((value) => value.sql);
  if (sql.length === 1) return sql.join('');
  return `CASE WHEN ${sql.map((each) => `${each} IS NOT NULL`).join(' AND ')} THEN row(${sql.join(', ')}) END`;
}

function sum(call: TypedCall): Typed {
  const value = floatOfText(call);
  const digits = digitsOf(value.type);
  if (value.type.name === 'NUMBER' || isExactWindow(value, call))
    return checkedSum(value, call.parsed.isDistinct, 'SUM', OVER);
  const sql = `sum(${distinct(call)}${value.sql})${OVER}`;
  if (digits === undefined) return finite(sql, call.writing);
  return { sql: `CAST(${sql} AS BIGINT)`, type: { name: 'BIGINT' } };
}

/** In `WAREHOUSE_TWO`, SUM and AVG of BIGINT give a NUMERIC with OVER, and a BIGINT without. */
function isExactWindow({ type }: Typed, { parsed, writing }: TypedCall): boolean {
  return !isOne(writing) && parsed.window !== undefined && type.name === 'BIGINT';
}

function average(call: TypedCall): Typed {
  const value = floatOfText(call);
  const digits = digitsOf(value.type);
  const values = `${distinct(call)}${value.sql}`;
  if (digits === undefined) return finite(`avg(${values})${OVER}`, call.writing);
  const rows = `count(${values})${OVER}`;
  if (isExactWindow(value, call)) return wholeAverage(`sum(${values})${OVER}`, rows);
  // The other kind of warehouse cuts the average of whole numbers.
  if (!isOne(call.writing) && value.type.name !== 'NUMBER')
    return { sql: `CAST(sum(${values})${OVER} // ${rows} AS BIGINT)`, type: { name: 'BIGINT' } };
  const scale = isOne(call.writing)
    ? digitsOf(quotientType(digits, { precision: 18, scale: 0 }, true))?.scale
    : digits.scale;
  return exactQuotient(
    checkedSum(value, call.parsed.isDistinct, 'the sum in AVG', OVER),
    { sql: rows, type: decimal(18, 0) },
    decimal(38, scale ?? 0),
  );
}

/** An average that must be whole: no page says how many decimal places it has. */
function wholeAverage(total: string, rows: string): Typed {
  const message =
    'Millrace does not support AVG of BIGINT with OVER whose result is not whole, because its decimal places are not documented; cast the argument to DECIMAL or FLOAT';
  const type = decimal(38, 0);
  return {
    sql: `CASE WHEN ${total} % ${rows} <> 0 THEN error('${message}') ELSE CAST(${total} // ${rows} AS ${duckType(type)}) END`,
    type,
  };
}

/** The smallest or largest value, or any. */
function same(name: string): FunctionRule {
  return {
    arguments: [1, 1],
    kind: 'aggregate',
    write: (call) => {
      const value = first(call);
      if (name === 'mode' && call.parsed.isDistinct) return undefined;
      if (name !== 'any_value') refuseBoolean(value, call);
      if (value.type.name === 'VARIANT' && name !== 'any_value') return extremeOf(name, value, call);
      const sql = `${name}(${value.sql})${OVER}`;
      const { warehouse } = call.writing.session.context;
      const shown = name === 'any_value' ? sql : extremeText(sql, value, name.toUpperCase(), warehouse, OVER);
      return { sql: shown, type: value.type };
    },
  };
}

/** `WAREHOUSE_TWO` documents no MIN and MAX of BOOLEAN, as aggregates or with OVER. Throws Refusal. */
function refuseBoolean({ type }: Typed, { parsed: { name }, at, writing }: TypedCall): void {
  if (type.name !== 'BOOLEAN' || isOne(writing)) return;
  const hint = `the warehouse has no ${name} for this type; write ${name}(CASE WHEN … THEN 1 ELSE 0 END)`;
  throw refusal(`${name} of BOOLEAN`, at, writing, hint);
}

/** The smallest or largest of semi-structured values, which must have one type. */
function extremeOf(name: string, { sql, type }: Typed, { writing }: TypedCall): Typed | undefined {
  if (!isOne(writing) || name === 'mode') return undefined;
  const key = typedKeySql(sql, 'WAREHOUSE_ONE');
  const [least, most] = ['min', 'max'].map((extreme) => `${extreme}(left(${key}, 1))${OVER}`);
  const message = 'Millrace does not support ordering semi-structured values of different types';
  const value = `arg_${name}(${sql}, ${key})${OVER}`;
  return { sql: `CASE WHEN ${least} <> ${most} THEN error('${message}') ELSE ${value} END`, type };
}

function condition(name: string): FunctionRule {
  return {
    arguments: [1, 1],
    only: 'WAREHOUSE_ONE',
    kind: 'aggregate',
    write: (call) =>
      first(call).type.name === 'BOOLEAN'
        ? { sql: `${name}(${first(call).sql})${OVER}`, type: BOOLEAN }
        : undefined,
  };
}

/** DuckDB's own function gives NULL if all conditions are NULL. */
function countIf(call: TypedCall): Typed | undefined {
  const { type, sql } = first(call);
  if (type.name !== 'BOOLEAN' || call.parsed.isDistinct) return undefined;
  return { sql: `count(CASE WHEN ${sql} THEN 1 END)${OVER}`, type: decimal(18, 0), isInteger: true };
}

/** The values by which a row is not grouped, as bits. The last value is the lowest bit. */
const GROUPING: FunctionRule = {
  arguments: [1, 7],
  only: 'WAREHOUSE_ONE',
  write: ({ values }) => ({
    sql: `GROUPING(${values.map(({ sql }) => sql).join(', ')})`,
    type: decimal(38, 0),
    isInteger: true,
  }),
};

/** Aggregate functions, which compute a value from many rows. */
export const AGGREGATES: Rules = {
  GROUPING,
  GROUPING_ID: GROUPING,
  COUNT: {
    arguments: [0, Infinity],
    warehouseArguments: { WAREHOUSE_TWO: [0, 1] },
    kind: 'aggregate',
    takesStar: 'bare',
    write: count,
  },
  SUM: { arguments: [1, 1], kind: 'aggregate', write: sum },
  AVG: { arguments: [1, 1], kind: 'aggregate', write: average },
  MIN: same('min'),
  MAX: same('max'),
  ANY_VALUE: same('any_value'),
  ...STATISTICS,
  BOOLOR_AGG: condition('bool_or'),
  BOOLAND_AGG: condition('bool_and'),
  COUNT_IF: { arguments: [1, 1], only: 'WAREHOUSE_ONE', kind: 'aggregate', write: countIf },
  MODE: { ...same('mode'), only: 'WAREHOUSE_ONE', hasNoOrderInOver: true },
};
