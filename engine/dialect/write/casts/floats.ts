import type { SqlType } from '../../../core/sql-type.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { digitsOf, duckType, FLOAT, quoteText, TEXT, type Typed } from '../sql/typed.ts';
import { isOne, type Writing } from '../sql/writing.ts';
import { numberOf } from '../../../../lib/core/text/number-of.ts';

/**
 * A computed FLOAT, or an error if it is infinite or NaN, because warehouses may differ for results that are out of
 * range. Only the outermost computation is checked: `raw` is the SQL without the check.
 */
export function finite(sql: string, writing: Writing): Typed {
  const message =
    'Millrace does not support a calculation with FLOAT whose result is infinite or NaN, because the warehouse may fail';
  const checked = computedOnce(
    sql,
    writing,
    (value) => `CASE WHEN NOT isfinite(${value}) THEN error(${quoteText(message)}) ELSE ${value} END`,
  );
  return { sql: `CAST(${checked} AS DOUBLE)`, type: FLOAT, raw: sql };
}

/** The number of digits on which all ways to write a FLOAT agree. */
const SURE_DIGITS = { one: 10, two: 15 };

/**
 * The text of a FLOAT. A FLOAT is refused if its text has more digits than the warehouse is certain to write. DuckDB
 * would write `nan`, `inf` and a decimal place that warehouses leave out.
 */
export function floatText(value: Typed, writing: Writing): Typed {
  const most = isOne(writing) ? SURE_DIGITS.one : SURE_DIGITS.two;
  const before = 'Millrace does not support the text of the FLOAT ';
  const after = `: its text would have more than ${most} digits; convert it to an exact number first`;
  const written = `replace(regexp_replace(CAST(${value.sql} AS VARCHAR), '\\.0$', ''), 'nan', 'NaN')`;
  const text = isOne(writing) ? written : `replace(${written}, 'inf', 'Infinity')`;
  const sql = computedOnce(text, writing, (shown) => {
    const digits = `ltrim(regexp_replace(${shown}, 'e.*$|[-.]', '', 'g'), '0')`;
    const isLong = `length(${shown}) > ${most} AND length(${digits}) > ${most}`;
    return `CASE WHEN ${isLong} THEN error(${quoteText(before)} || ${shown} || ${quoteText(after)}) ELSE ${shown} END`;
  });
  return { sql, type: TEXT };
}

/** Converts a FLOAT to an exact number, rounding half away from zero. */
export function numberOfFloat(value: Typed, type: SqlType, writing: Writing, isTry = false): Typed {
  const { precision, scale } = digitsOf(type) ?? { precision: 38, scale: 0 };
  const sql = computedOnce(value.sql, writing, (float) => {
    const many = beyondDigits(float, precision, scale);
    const isHalf = halfway(float, scale, writing);
    const rounded = `${isTry ? 'TRY_CAST' : 'CAST'}(round(${float}, ${scale}) AS ${duckType(type)})`;
    return `CASE WHEN ${many} THEN ${tooManyDigits(float)} WHEN ${isHalf} THEN ${notRounded(float, scale)} ELSE ${rounded} END`;
  });
  return { sql, type };
}

/** Rounds a FLOAT to a number of decimal places. Negative places mean tens, hundreds and so on. */
export function roundedFloat(value: Typed, places: number, writing: Writing): Typed {
  const sql = computedOnce(
    value.sql,
    writing,
    (float) =>
      `CASE WHEN ${halfway(float, places, writing)} THEN ${notRounded(float, places)} ELSE round(${float}, ${places}) END`,
  );
  return { sql, type: FLOAT };
}

function notRounded(float: string, places: number): string {
  const to = numberOf(places, 'decimal place');
  const after = ` to ${to}, because it is not certain whether the warehouse rounds it up or down; first cast it to an exact number with more decimal places, and then use ROUND`;
  return `error('Millrace does not support rounding the FLOAT ' || ${float} || ${quoteText(after)})`;
}

function tooManyDigits(float: string): string {
  const after = ` as an exact number: it would have more than ${DIGITS} digits; choose a type with fewer decimal places`;
  return `error('Millrace does not support the FLOAT ' || ${float} || ${quoteText(after)})`;
}

/**
 * Whether a FLOAT is halfway between two rounded numbers, so that the result depends on the way of rounding.
 * `WAREHOUSE_ONE` rounds away from zero, but it is not known whether it rounds the binary number or its decimal text:
 * its result is certain only for numbers that are exactly halfway.
 */
function halfway(float: string, places: number, writing: Writing): string {
  if (places < 0) {
    const unit = `1${'0'.repeat(-places)}`;
    return isOne(writing) ? 'FALSE' : `abs(${float}) % ${unit} = ${unit} / 2`;
  }
  const shifted = `abs(${float} * 1e${places})`;
  // The text is read only if it may be halfway.
  const isNear = `abs(${shifted} - floor(${shifted}) - 0.5) < greatest(0.001, ${shifted} * 4e-15)`;
  const isHalf = `regexp_matches(CAST(${float} AS VARCHAR), '${halfwayForm(places)}')`;
  if (!isOne(writing)) return `(${isNear} AND ${isHalf})`;
  const bits = `(${float} * ${2 ** (places + 1)})`;
  return `(${isNear} AND ${isHalf} AND ${bits} <> trunc(${bits}))`;
}

/**
 * The pattern of DuckDB's texts whose last digit is a 5, one place after the rounded digits. Small numbers have an
 * exponent of at least 5.
 */
function halfwayForm(places: number): string {
  const forms = [`\\.\\d{${places}}5$`];
  for (let exponent = 5; exponent <= places + 1; exponent += 1) {
    const decimals = places + 1 - exponent;
    const digits = decimals === 0 ? '5' : `\\d\\.\\d{${decimals - 1}}5`;
    forms.push(`^-?${digits}e-0*${exponent}$`);
  }
  return forms.join('|');
}

/** The number of digits that every FLOAT keeps; further digits differ with the way of converting. */
const DIGITS = 15;
const LARGEST_WHOLE = 2 ** 53;

function beyondDigits(float: string, precision: number, scale: number): string {
  if (precision <= DIGITS) return 'FALSE';
  if (scale === 0) return `isfinite(${float}) AND abs(${float}) > ${LARGEST_WHOLE}`;
  return `isfinite(${float}) AND abs(${float}) >= 1e${DIGITS - scale} AND ${float} <> 0`;
}
