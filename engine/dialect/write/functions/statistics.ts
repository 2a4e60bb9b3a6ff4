import { cast } from '../casts/convert.ts';
import { checkedSum } from '../casts/checked-number.ts';
import { exactQuotient } from '../operators/exact.ts';
import { arithmetic } from '../operators/operators.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { decimal, digitsOf, duckType, FLOAT, quoteText, type Typed } from '../sql/typed.ts';
import { isOne } from '../sql/writing.ts';
import { type FunctionRule, type TypedCall, float, number, OVER, type Rules } from './rule.ts';

/** Converts a text to a floating-point number, as aggregate functions do. */
export function floatOfText(call: TypedCall): Typed {
  const [value] = call.values;
  if (value === undefined || !isOne(call.writing) || !['VARCHAR', 'VARIANT'].includes(value.type.name))
    return number(call, 0);
  return cast(value, FLOAT, call.at, call.writing);
}

/** Half of the sum of the two values in the middle. They are the same value if the number of values is odd. */
function median(call: TypedCall): Typed | undefined {
  if (call.parsed.isDistinct) return undefined;
  const value = floatOfText(call);
  const digits = digitsOf(value.type);
  if (digits === undefined) return { sql: `median(CAST(${value.sql} AS DOUBLE))${OVER}`, type: FLOAT };
  if (!isOne(call.writing)) return undefined;
  const values = `CAST(${value.sql} AS DECIMAL(38, ${digits.scale}))`;
  const middle = (sign: string) => `quantile_disc(${sign}${values}, 0.5)${OVER}`;
  const both = { sql: `(${middle('')} - ${middle('- ')})`, type: decimal(38, digits.scale) };
  const two = { sql: '2', type: decimal(1, 0) };
  return exactQuotient(both, two, decimal(38, Math.min(digits.scale + 3, 37)));
}

function double(name: string): FunctionRule {
  return { arguments: [1, 1], kind: 'aggregate', write: (call) => ofFloat(name, call) };
}

function ofFloat(name: string, call: TypedCall): Typed {
  const distinct = call.parsed.isDistinct ? 'DISTINCT ' : '';
  return { sql: `${name}(${distinct}CAST(${floatOfText(call).sql} AS DOUBLE))${OVER}`, type: FLOAT };
}

/** Decimal places of a variance of exact numbers: the fewest and the most that a quotient of `WAREHOUSE_ONE` has. */
const PLACES = { least: 6, most: 12 };

/**
 * In `WAREHOUSE_ONE`, the variance of exact numbers is one too. No page says how many decimal places it has, so one
 * is refused if it would be another number with fewer of them.
 */
function variance(call: TypedCall): Typed | undefined {
  const value = floatOfText(call);
  const digits = digitsOf(value.type);
  if (digits === undefined || !isOne(call.writing)) return ofFloat('var_samp', call);
  if (call.parsed.isDistinct || digits.scale > PLACES.least) return undefined;
  const on = (operator: string, a: Typed, b: Typed) => arithmetic(operator, a, b, call.at, call.writing);
  const summed = (each: Typed) => checkedSum(each, false, 'a sum in VARIANCE', OVER);
  const rows: Typed = { sql: `count(${value.sql})${OVER}`, type: decimal(18, 0), isInteger: true };
  const [sum, squares] = [summed(value), summed(on('*', value, value))];
  const total = on('-', on('*', squares, rows), on('*', sum, sum));
  const others = on('-', rows, { sql: '1', type: decimal(1, 0), isInteger: true });
  const exact = exactQuotient(total, on('*', rows, others), decimal(38, PLACES.most)).sql;
  const message = quoteText(
    `Millrace does not support VARIANCE of NUMBER with a result of more than ${PLACES.least} decimal places, because their number is not documented; cast the argument to FLOAT`,
  );
  const type = decimal(38, PLACES.least);
  const sql = computedOnce(
    exact,
    call.writing,
    (result) =>
      `CASE WHEN round(${result}, ${PLACES.least}) <> ${result} THEN error(${message}) ELSE CAST(${result} AS ${duckType(type)}) END`,
  );
  return { sql: `CASE WHEN ${rows.sql} > 1 THEN ${sql} END`, type };
}

/** A function of pairs of numbers. A row does not count if one of its numbers is NULL. */
function paired(name: string): FunctionRule {
  return {
    arguments: [2, 2],
    only: 'WAREHOUSE_ONE',
    kind: 'aggregate',
    write: (call) => {
      if (call.parsed.isDistinct) return undefined;
      const [y, x] = [0, 1].map((index) => float(call, index));
      // DuckDB divides by a variance of 0.
      return { sql: `nullif(${name}(${y}, ${x})${OVER}, 'NaN'::DOUBLE)`, type: FLOAT };
    },
  };
}

const VARIANCE: FunctionRule = { arguments: [1, 1], kind: 'aggregate', write: variance };

/** Statistical aggregate functions, such as MEDIAN and VARIANCE. */
export const STATISTICS: Rules = {
  COVAR_POP: paired('covar_pop'),
  COVAR_SAMP: paired('covar_samp'),
  REGR_SLOPE: paired('regr_slope'),
  REGR_INTERCEPT: paired('regr_intercept'),
  STDDEV: double('stddev_samp'),
  STDDEV_SAMP: double('stddev_samp'),
  VARIANCE,
  VAR_SAMP: VARIANCE,
  MEDIAN: { arguments: [1, 1], kind: 'aggregate', hasNoOrderInOver: true, needsTable: true, write: median },
};
