import { bind } from '../sql/bind.ts';
import { narrowed } from './narrowed.ts';
import { digitsOf, type Typed } from '../sql/typed.ts';

/**
 * The SQL for `a × 10^shift / b` with the digits of two exact numbers, rounded half away from zero. The result is a
 * DECIMAL, or NULL if the divisor is 0 or a number is too large. The SQL divides group by group of digits in 64 bits,
 * because DuckDB divides decimals as floating-point numbers, and a division in 128 bits takes a microsecond.
 * Undefined if the numbers are always too large for this method.
 */
export function longDivision(a: Typed, b: Typed, shift: number): string | undefined {
  if (shift < 0 || shift > MAX_SHIFT) return undefined;
  const groups = groupsOf(shift);
  const largest = Math.max(...groups);
  const x = digitsIn64Bits(a, MAX_DIGITS);
  const y = digitsIn64Bits(b, MAX_DIGITS - largest);
  if (x === undefined || y === undefined) return undefined;
  return bind('millrace_digits', [x, y], (dividend, divisor) => divide(dividend, divisor, shift, groups));
}

function divide(x: string, y: string, shift: number, groups: readonly number[]): string {
  const parts: string[] = [];
  let [rest, left] = [x, shift];
  for (const [index, count] of groups.entries()) {
    parts.push(part(`${rest} // ${y}`, left));
    rest = `(${rest} % ${y} * ${power(count)})`;
    left -= count;
    if (index === groups.length - 1) parts.push(part(rounded(rest, x, y), 0));
  }
  return `(${parts.join(' + ')})`;
}

/** Two digits fewer than 64 bits have, so that twice a number plus another number still fits. */
const MAX_DIGITS = 18;
/** A quotient of a number with 18 digits then has at most 38. */
const MAX_SHIFT = 20;
/** Digits of one group: the divisor has the others. */
const GROUP = 7;

/** The shift as a sum of groups of about the same size; one group of 0 if nothing is shifted. */
function groupsOf(shift: number): readonly number[] {
  const count = Math.max(1, Math.ceil(shift / GROUP));
  return Array.from(
    { length: count },
    (_, index) => Math.floor((shift * (index + 1)) / count) - Math.floor((shift * index) / count),
  );
}

function part(quotient: string, places: number): string {
  // With one digit more than 18, DuckDB computes the product in 128 bits.
  return `CAST(${quotient} AS DECIMAL(19, 0)) * CAST(${power(places)} AS DECIMAL(${places + 1}, 0))`;
}

/** DuckDB cuts the quotient of whole numbers: half of the divisor, with the sign of the quotient, is added before. */
function rounded(dividend: string, x: string, y: string): string {
  return `(2 * ${dividend} + CASE WHEN (${x} < 0) = (${y} < 0) THEN ${y} ELSE - ${y} END) // (2 * ${y})`;
}

/** All digits of an exact number as a BIGINT, 125 for 1.25; NULL if it has more digits than `count`. */
function digitsIn64Bits(value: Typed, count: number): string | undefined {
  const { scale } = digitsOf(value.type) ?? { scale: 0 };
  if (scale === 0) return `CAST(${narrowed(value, count, 0)} AS BIGINT)`;
  if (scale > count) return undefined;
  if (scale > MAX_MULTIPLIED)
    return `CAST(replace(CAST(${narrowed(value, count, scale)} AS VARCHAR), '.', '') AS BIGINT)`;
  const narrow = narrowed(value, Math.min(count, MAX_DIGITS - scale), scale);
  return `CAST(${narrow} * CAST(${power(scale)} AS DECIMAL(${scale + 1}, 0)) AS BIGINT)`;
}

/** Up to this scale, the multiplication that moves the point is faster than a text, and leaves enough digits. */
const MAX_MULTIPLIED = 4;

function power(places: number): string {
  return `1${'0'.repeat(places)}`;
}
