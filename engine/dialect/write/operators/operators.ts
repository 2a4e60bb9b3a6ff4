import { typedKeySql } from '../../../duckdb/values/order-key.ts';
import type { SqlType } from '../../../core/sql-type.ts';
import { asNumber, besideNumber } from '../casts/as-number.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { cast } from '../casts/convert.ts';
import { finite } from '../casts/floats.ts';
import { countOf } from './interval.ts';
import { findUnit } from './units.ts';
import { exactProduct, exactQuotient, exactRemainder } from './exact.ts';
import {
  BOOLEAN,
  DATE,
  decimal,
  digitsOf,
  duckType,
  FLOAT,
  isDateLike,
  isNumeric,
  quoteText,
  type Typed,
  typeText,
} from '../sql/typed.ts';
import { comparedWithSuper, differs } from '../casts/super.ts';
import { shownText, withoutFloat } from '../casts/variant.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';

/** Translates the operators `+`, `-`, `*`, `/` and `%` with two values. */
export function arithmetic(operator: string, left: Typed, right: Typed, at: number, writing: Writing): Typed {
  const dates = dateArithmetic(operator, left, right, at, writing);
  if (dates) return dates;
  const a = asNumber(left, at, writing, right.type);
  const b = asNumber(right, at, writing, left.type);
  const isOfText = [left, right].some(({ type }) => type.name === 'VARCHAR');
  if (operator === '/' && isOfText && a.type.name !== 'FLOAT')
    throw refusal(
      'the division of a text',
      at,
      writing,
      'cast the text to a number, because its type determines the decimal places of the result',
    );
  if (operator === '/') return divide(a, b, writing);
  if (operator === '%') return remainder(a, b);
  const type = resultType(operator, a.type, b.type, isOne(writing));
  const x = digitsOf(a.type);
  const y = digitsOf(b.type);
  if (isOne(writing) && a.isInteger && b.isInteger && (digitsOf(type)?.precision ?? 0) <= SMALL)
    return { sql: `(CAST(${a.sql} AS BIGINT) ${operator} ${b.sql})`, type, isInteger: true };
  if (operator === '*' && x && y && x.scale + y.scale > (digitsOf(type)?.scale ?? 38))
    return exactProduct(a, b, type);
  if (type.name === 'FLOAT') return finite(`(${a.raw ?? a.sql} ${operator} ${b.raw ?? b.sql})`, writing);
  return { sql: `(${widened(a, b, type)} ${operator} ${b.sql})`, type };
}

/** The digits of the decimals that DuckDB computes in 64 bits. */
const SMALL = 18;

/** DuckDB gives a result of two small decimals at most 18 digits. If it needs more, the first decimal is made large. */
function widened(a: Typed, b: Typed, type: SqlType): string {
  const [x, y, result] = [digitsOf(a.type), digitsOf(b.type), digitsOf(type)];
  if (type.name !== 'NUMBER' || !x || !y || !result) return a.sql;
  const isEnough = result.precision <= SMALL || Math.max(x.precision, y.precision) > SMALL;
  return isEnough ? a.sql : `CAST(${a.sql} AS DECIMAL(${SMALL + 1}, ${x.scale}))`;
}

function dateArithmetic(
  operator: string,
  left: Typed,
  right: Typed,
  at: number,
  writing: Writing,
): Typed | undefined {
  const [a, b] = [left.type, right.type];
  if (!isDateLike(a) && !isDateLike(b)) return undefined;
  if (a.name === 'DATE' && b.name === 'DATE' && operator === '-')
    return {
      sql: `(${left.sql} - ${right.sql})`,
      type: isOne(writing) ? decimal(9, 0) : { name: 'BIGINT' },
      isInteger: true,
    };
  if (a.name === 'DATE' && digitsOf(b)?.scale === 0 && (operator === '+' || operator === '-'))
    return { sql: `(${left.sql} ${operator} CAST(${daysOf(right, at, writing)} AS INTEGER))`, type: DATE };
  throw refusal(`${typeText(a)} ${operator} ${typeText(b)}`, at, writing, 'use DATEADD or DATEDIFF');
}

function daysOf(count: Typed, at: number, writing: Writing): string {
  const unit = findUnit('day', writing);
  if (unit === undefined) throw new Error('no days');
  return countOf(count, unit, at, writing);
}

function resultType(operator: string, a: SqlType, b: SqlType, isKindOne: boolean): SqlType {
  const x = digitsOf(a);
  const y = digitsOf(b);
  if (x === undefined || y === undefined) return a.name === 'NULL' ? b : b.name === 'NULL' ? a : FLOAT;
  if (!isKindOne && a.name !== 'NUMBER' && b.name !== 'NUMBER') return x.precision > y.precision ? a : b;
  const whole = [x.precision - x.scale, y.precision - y.scale] as const;
  if (operator === '*') {
    const scale = isKindOne
      ? Math.min(x.scale + y.scale, Math.max(x.scale, y.scale, 12))
      : Math.min(38, x.scale + y.scale);
    return decimal(whole[0] + whole[1] + scale, scale);
  }
  const scale = Math.max(x.scale, y.scale);
  return decimal(Math.max(...whole) + scale + 1, scale);
}

function remainder(a: Typed, b: Typed): Typed {
  const type = remainderType(a.type, b.type);
  if (type.name === 'NUMBER') return exactRemainder(a, b, type);
  return guard(a, b, { sql: `(${a.sql} % ${b.sql})`, type });
}

function remainderType(a: SqlType, b: SqlType): SqlType {
  const x = digitsOf(a);
  const y = digitsOf(b);
  if (x === undefined || y === undefined) return FLOAT;
  if (a.name !== 'NUMBER' && b.name !== 'NUMBER') return x.precision > y.precision ? a : b;
  return decimal(38, Math.max(x.scale, y.scale));
}

function divide(a: Typed, b: Typed, writing: Writing): Typed {
  const x = digitsOf(a.type);
  const y = digitsOf(b.type);
  if (x === undefined || y === undefined) {
    const quotient = `CAST(${a.raw ?? a.sql} AS DOUBLE) / CAST(${b.sql} AS DOUBLE)`;
    return finite(guard(a, b, { sql: `(${quotient})`, type: FLOAT }).sql, writing);
  }
  if (!isOne(writing) && a.type.name !== 'NUMBER' && b.type.name !== 'NUMBER')
    return guard(a, b, { sql: `(${a.sql} // ${b.sql})`, type: x.precision > y.precision ? a.type : b.type });
  return exactQuotient(a, b, quotientType(x, y, isOne(writing)));
}

interface Digits {
  readonly precision: number;
  readonly scale: number;
}

export function quotientType(x: Digits, y: Digits, isKindOne: boolean): SqlType {
  if (isKindOne) {
    const scale = Math.max(x.scale, Math.min(x.scale + 6, 12));
    return decimal(x.precision - x.scale + y.scale + scale, scale);
  }
  const scale = Math.max(4, x.scale + y.precision - y.scale + 1);
  const precision = x.precision - x.scale + y.scale + scale;
  return decimal(38, precision > 38 ? Math.max(4, 38 + scale - precision) : scale);
}

/** DuckDB divides by zero without an error; the warehouse does not, unless it divides NULL. */
function guard(dividend: Typed, divisor: Typed, result: Typed): Typed {
  if (divisor.number !== undefined && Number(divisor.number) !== 0) return result;
  const isError = `${divisor.sql} = 0 AND ${dividend.sql} IS NOT NULL`;
  return {
    sql: `CASE WHEN ${isError} THEN error('Division by zero') ELSE ${result.sql} END`,
    type: result.type,
  };
}

/** Converts two values to the same type, in the way in which the warehouse does before it compares them. */
export function comparable(
  left: Typed,
  right: Typed,
  at: number,
  writing: Writing,
  operator = '=',
): readonly [Typed, Typed] {
  const [a, b] = [left.type.name, right.type.name];
  if (a === 'NULL' || b === 'NULL') return [left, right];
  if (a === 'VARIANT' && b === 'VARIANT') return [left, right];
  if (a === 'VARCHAR' && b === 'VARCHAR' && !isOne(writing))
    return [withoutBlanks(left), withoutBlanks(right)];
  if (
    !isOne(writing) &&
    (a === 'VARIANT' || b === 'VARIANT') &&
    !isNumeric(left.type) &&
    !isNumeric(right.type)
  )
    return comparedWithSuper(left, right, at, writing);
  if (a === 'VARIANT') return [variantLike(left, right, at, writing), right];
  if (b === 'VARIANT') return [left, variantLike(right, left, at, writing)];
  if (isOne(writing) && a === 'BOOLEAN' && isTruthNumber(right))
    return [left, cast(right, BOOLEAN, at, writing)];
  if (isOne(writing) && b === 'BOOLEAN' && isTruthNumber(left))
    return [cast(left, BOOLEAN, at, writing), right];
  if (a === 'VARCHAR' && b !== 'VARCHAR') return [textLike(left, right, operator, at, writing), right];
  if (b === 'VARCHAR' && a !== 'VARCHAR') return [left, textLike(right, left, operator, at, writing)];
  const isFine =
    a === b ||
    (isNumeric(left.type) && isNumeric(right.type)) ||
    (isDateLike(left.type) && isDateLike(right.type));
  if (!isFine)
    throw refusal(
      `a comparison of ${typeText(left.type)} with ${typeText(right.type)}`,
      at,
      writing,
      'cast one of them to the type of the other',
    );
  return [left, right];
}

/** `WAREHOUSE_TWO` compares texts without the spaces at their ends. */
function withoutBlanks(value: Typed): Typed {
  if (value.text === undefined) return { sql: `rtrim(${value.sql}, ' ')`, type: value.type };
  return value.text.endsWith(' ') ? { ...value, sql: quoteText(value.text.replace(/ +$/, '')) } : value;
}

/** For other numbers, it is not known whether the warehouse converts the number or the truth value. */
function isTruthNumber({ number }: Typed): boolean {
  return number === '0' || number === '1';
}

function variantLike(value: Typed, other: Typed, at: number, writing: Writing): Typed {
  if (other.type.name === 'VARCHAR') return shownText(withoutFloat(value, at, writing), writing);
  return isNumeric(other.type)
    ? asNumber(value, at, writing, other.type)
    : cast(value, other.type, at, writing);
}

function textLike(value: Typed, other: Typed, operator: string, at: number, writing: Writing): Typed {
  if (isNumeric(other.type)) return besideNumber(value, other.type, operator, at, writing);
  if (value.text === undefined && !isOne(writing))
    throw refusal(
      `a comparison of text with ${typeText(other.type)}`,
      at,
      writing,
      'cast one of them to the type of the other',
    );
  return isOne(writing) && other.type.name === 'DATE'
    ? dayOfText(value, at, writing)
    : cast(value, other.type, at, writing);
}

/** Beside a DATE: it is not documented whether the date becomes a moment if the text has a time. */
function dayOfText(value: Typed, at: number, writing: Writing): Typed {
  const moment = cast(value, { name: 'TIMESTAMP' }, at, writing).sql;
  const message =
    'Millrace does not support a comparison of a DATE with a text that has a time; cast one of them to the type of the other';
  const sql = computedOnce(
    moment,
    writing,
    (text) =>
      `CASE WHEN date_trunc('day', ${text}) <> ${text} THEN error('${message}') ELSE CAST(${text} AS DATE) END`,
  );
  return { sql, type: DATE };
}

export function compare(operator: string, left: Typed, right: Typed, at: number, writing: Writing): Typed {
  const [a, b] = comparable(left, right, at, writing, operator);
  // Equal values have the same text, but the texts do not sort as the values do.
  if (a.type.name === 'VARIANT' && b.type.name === 'VARIANT' && /^[<>]=?$/.test(operator))
    return compareVariants(operator, a, b, writing);
  if (operator === '<>' && a.type.name === 'VARIANT' && b.type.name === 'VARIANT' && !isOne(writing))
    return { sql: `(${differs(a.sql, b.sql)})`, type: BOOLEAN };
  return { sql: `(${a.sql} ${operator} ${b.sql})`, type: BOOLEAN };
}

/** Values of different types have no order. `WAREHOUSE_TWO` gives NULL; `WAREHOUSE_ONE` documents no result. */
function compareVariants(operator: string, left: Typed, right: Typed, writing: Writing): Typed {
  const [a, b] = [left, right].map(({ sql }) => typedKeySql(sql, writing.session.context.warehouse));
  const message = 'Millrace does not support ordering semi-structured values of different types';
  const other = isOne(writing) ? `error('${message}')` : 'NULL';
  const sql = `CASE WHEN left(${a}, 1) <> left(${b}, 1) THEN ${other} ELSE ${a} ${operator} ${b} END`;
  return { sql: `CAST(${sql} AS BOOLEAN)`, type: BOOLEAN };
}

export function negate(value: Typed, at: number, writing: Writing): Typed {
  const number = asNumber(value, at, writing);
  const digits = number.number === undefined ? {} : { number: `-${number.number}` };
  const integer = number.isInteger ? { isInteger: true as const } : {};
  return { sql: `(- ${number.sql})`, type: number.type, ...digits, ...integer };
}

const MAX_DIGITS = 38;
const LARGEST_BIGINT = 2n ** 63n - 1n;

/** Translates a number literal, with the type that the warehouse gives it. */
export function numberLiteral(digits: string, at: number, writing: Writing): Typed {
  if (!Number.isFinite(Number(digits))) throw refusal(`the number ${digits}`, at, writing);
  if (/e/i.test(digits)) return { sql: `CAST(${digits} AS DOUBLE)`, type: FLOAT, number: digits };
  const [whole = '', fraction = ''] = digits.split('.');
  const precision = Math.max(1, whole.replace(/^0+/, '').length + fraction.length);
  const isBig = precision === 19 && !isOne(writing) && BigInt(whole) <= LARGEST_BIGINT;
  if (fraction === '' && (precision <= 18 || isBig)) {
    const sql = String(BigInt(whole));
    if (isOne(writing)) return { sql, type: decimal(precision, 0), number: digits, isInteger: true };
    return { sql, type: { name: precision <= 9 ? 'INTEGER' : 'BIGINT' }, number: digits };
  }
  if (precision > MAX_DIGITS || fraction.length >= MAX_DIGITS)
    throw refusal(
      `the number ${digits}`,
      at,
      writing,
      `an exact number can have at most ${MAX_DIGITS} digits, and at most ${MAX_DIGITS - 1} of them after the point`,
    );
  const type = decimal(precision, fraction.length);
  return { sql: `CAST('${whole || '0'}.${fraction || '0'}' AS ${duckType(type)})`, type, number: digits };
}
