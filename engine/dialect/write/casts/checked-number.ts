import { computedOnce } from '../sql/computed-once.ts';
import { decimal, digitsOf, duckType, quoteText, type Typed } from '../sql/typed.ts';
import type { Writing } from '../sql/writing.ts';

// DuckDB checks that a result of + - * / and of a cast has 38 digits at most. Its sums of large numbers start again at the
// smallest number of 128 bits without an error, and its roundings may have 39 digits: they are checked here.

const MAX_DIGITS = 38;

/** The digits of a number of which no statement can have so many that their sum has more than 38 digits. */
const SURE_DIGITS = 27;

/** Numbers with fewer digits than this are too small to matter in a sum of 39 digits. */
const SMALL_DIGITS = 26;

/**
 * The SQL of a sum of exact numbers that fails if the sum has more than 38 digits. Not for the whole numbers of
 * `WAREHOUSE_TWO`. `over` is inserted after each aggregate function in it.
 */
export function checkedSum(value: Typed, isDistinct: boolean, name: string, over: string): Typed {
  const { precision, scale } = digitsOf(value.type) ?? { precision: MAX_DIGITS, scale: 0 };
  const type = decimal(MAX_DIGITS, scale);
  const sum = `CAST(sum(${isDistinct ? 'DISTINCT ' : ''}${value.sql})${over} AS ${duckType(type)})`;
  if (precision <= SURE_DIGITS || value.isInteger) return { sql: sum, type };
  const large = `CASE WHEN ${isOutside(value.sql, duckType(value.type), power(SMALL_DIGITS - 1, scale))} THEN ${value.sql} END`;
  // The sum of numbers of 128 bits is wrong by a multiple of 2^128, or 3.4 × 10^38, if it is wrong.
  const estimate = isDistinct
    ? `list_sum(CAST(list(DISTINCT ${large})${over} AS DOUBLE[]))`
    : `sum(CAST(${large} AS DOUBLE))${over}`;
  const isWrong = `abs(${estimate}) > 2e${MAX_DIGITS - scale}`;
  const isLong = isOutside(sum, duckType(type), largest(scale));
  return { sql: `CASE WHEN ${isLong} OR ${isWrong} THEN ${overflow(name)} ELSE ${sum} END`, type };
}

/** The SQL of a NUMBER(38,0) that fails if the number has more than 38 digits. */
export function checkedNumber(sql: string, name: string, writing: Writing): string {
  const type = duckType(decimal(MAX_DIGITS, 0));
  return computedOnce(
    sql,
    writing,
    (value) => `CASE WHEN ${isOutside(value, type, largest(0))} THEN ${overflow(name)} ELSE ${value} END`,
  );
}

/**
 * The SQL that rounds an exact number with DuckDB's `round`. Negative places mean tens, hundreds and so on. The
 * result may have one digit more than the number, even 39 digits. Undefined if DuckDB cannot compute it.
 */
export function roundedNumber(value: Typed, places: number): string | undefined {
  if (places >= 0) return `round(${value.sql}, ${places})`;
  const { precision, scale } = digitsOf(value.type) ?? { precision: MAX_DIGITS, scale: 0 };
  const isWidest = precision >= MAX_DIGITS;
  // DuckDB gives 0 if it would round to a digit before the first one of the type.
  if (isWidest && -places >= precision - scale) return undefined;
  const wider = isWidest ? value.sql : `CAST(${value.sql} AS ${duckType(decimal(precision + 1, scale))})`;
  return `round(${wider}, ${places})`;
}

function isOutside(sql: string, type: string, bound: string): string {
  return `${sql} NOT BETWEEN CAST('-${bound}' AS ${type}) AND CAST('${bound}' AS ${type})`;
}

function largest(scale: number): string {
  return `${'9'.repeat(MAX_DIGITS - scale) || '0'}.${'9'.repeat(scale)}`;
}

/** 10^exponent in the last decimal place. */
function power(exponent: number, scale: number): string {
  const digits = `1${'0'.repeat(exponent)}`.padStart(scale + 1, '0');
  return `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
}

function overflow(name: string): string {
  return `error(${quoteText(`overflow: the result of ${name} has more than ${MAX_DIGITS} digits`)})`;
}
