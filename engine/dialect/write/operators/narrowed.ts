import { digitsOf, type Typed } from '../sql/typed.ts';

/**
 * Converts an exact number to a DECIMAL of this precision and scale. The result is NULL if the precision is too
 * small. The scale must be at least the number's scale. TRY_CAST would do the same, but takes half a microsecond for
 * each NULL.
 */
export function narrowed(value: Typed, precision: number, scale: number): string {
  const places = digitsOf(value.type)?.scale ?? 0;
  const whole = precision - scale;
  // The bound has the scale of the number: with another scale, the comparison would convert large numbers, and fail.
  const bound = `DECIMAL(${Math.max(1, whole + places)}, ${places})`;
  const limit = `0${'9'.repeat(whole)}.${'9'.repeat(places)}`;
  const isWithin = `${value.sql} BETWEEN CAST('-${limit}' AS ${bound}) AND CAST('${limit}' AS ${bound})`;
  return `CASE WHEN ${isWithin} THEN CAST(${value.sql} AS DECIMAL(${precision}, ${scale})) END`;
}
