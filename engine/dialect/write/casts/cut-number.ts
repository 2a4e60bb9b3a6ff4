import { roundedNumber } from './checked-number.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { decimal, digitsOf, duckType, type Typed } from '../sql/typed.ts';
import type { Writing } from '../sql/writing.ts';

/**
 * Removes the digits of an exact number after some decimal places (truncates towards zero). Negative places mean
 * tens, hundreds and so on; for these, `roundedNumber` must be possible.
 */
export function cutNumber(value: Typed, places: number, writing: Writing): Typed {
  const { precision, scale } = digitsOf(value.type) ?? { precision: 38, scale: 0 };
  if (places >= scale) return value;
  const type = decimal(precision + 1, Math.max(0, places));
  const as = (sql: string) => `CAST(${sql} AS ${duckType(type)})`;
  const step = places > 0 ? `0.${'0'.repeat(places - 1)}1` : `1${'0'.repeat(-places)}`;
  const sql = computedOnce(value.sql, writing, (number) => {
    const nearest = roundedNumber({ ...value, sql: number }, places);
    if (nearest === undefined) throw new Error('the places are too many tens');
    const rounded = as(nearest);
    const down = `WHEN ${number} > 0 AND ${rounded} > ${number} THEN ${as(`${rounded} - ${step}`)}`;
    const up = `WHEN ${number} < 0 AND ${rounded} < ${number} THEN ${as(`${rounded} + ${step}`)}`;
    return `CASE ${down} ${up} ELSE ${rounded} END`;
  });
  return { sql, type };
}
