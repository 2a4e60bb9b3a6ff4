import { cutNumber } from '../casts/cut-number.ts';
import { roundedFloat } from '../casts/floats.ts';
import { checkedNumber, roundedNumber } from '../casts/checked-number.ts';
import { DATE, decimal, digitsOf, duckType, FLOAT, isDateLike, type Typed } from '../sql/typed.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';
import { DATES } from './dates.ts';
import { type FunctionRule, type TypedCall, literal, number, type Rules } from './rule.ts';

/** `round` and `trunc` with a number of places that is a literal. */
function toPlaces(name: 'round' | 'trunc'): FunctionRule {
  return {
    arguments: [1, 2],
    write: (call) => {
      const value = number(call, 0);
      const places = call.values.length > 1 ? literal(call, 1) : 0;
      if (places === undefined) return undefined;
      const digits = digitsOf(value.type);
      if (digits === undefined) return doubleTo(name, value, places, call.writing);
      if (places >= digits.scale) return value;
      if (name === 'trunc') return truncated(value, digits, places, call.writing);
      const type = decimal(digits.precision + 1, Math.max(0, places));
      const rounded = roundedNumber(value, places);
      if (rounded === undefined) return undefined;
      const sql = `CAST(${rounded} AS ${duckType(type)})`;
      return { sql: mayOverflow(value, places) ? checkedNumber(sql, 'ROUND', call.writing) : sql, type };
    },
  };
}

/** Rounding up may add a digit before the point, unless it drops digits after it. */
function mayOverflow({ type }: Typed, places: number): boolean {
  const digits = digitsOf(type);
  return places < 0 && digits?.precision === 38 && digits.scale === 0;
}

function doubleTo(name: string, value: Typed, places: number, writing: Writing): Typed | undefined {
  if (name === 'round') return Math.abs(places) > 300 ? undefined : roundedFloat(value, places, writing);
  return places === 0 ? { sql: `trunc(${value.sql})`, type: FLOAT } : undefined;
}

function truncated(
  value: Typed,
  digits: { precision: number },
  places: number,
  writing: Writing,
): Typed | undefined {
  if (Math.abs(places) > 37 || roundedNumber(value, places) === undefined) return undefined;
  if (places !== 0) return cutNumber(value, places, writing);
  const type = decimal(digits.precision, 0);
  return { sql: `CAST(trunc(${value.sql}) AS ${duckType(type)})`, type };
}

function whole(name: 'floor' | 'ceil'): FunctionRule {
  return {
    arguments: [1, 2],
    warehouseArguments: { WAREHOUSE_TWO: [1, 1] },
    write: (call) => {
      const value = number(call, 0);
      const digits = digitsOf(value.type);
      if (call.values.length > 1) return wholeTo(name, value, literal(call, 1), call.writing);
      if (digits?.scale === 0) return value;
      if (digits === undefined) return { sql: `${name}(${value.sql})`, type: FLOAT };
      const type = decimal(digits.precision + 1, 0);
      return { sql: `CAST(${name}(${value.sql}) AS ${duckType(type)})`, type };
    },
  };
}

/** The rounded number, corrected if it was rounded in the other direction. */
function wholeTo(
  name: 'floor' | 'ceil',
  value: Typed,
  places: number | undefined,
  writing: Writing,
): Typed | undefined {
  const digits = value.type.name === 'NULL' ? { precision: 1, scale: 0 } : digitsOf(value.type);
  if (digits === undefined || places === undefined || Math.abs(places) > 37) return undefined;
  if (places >= digits.scale) return value;
  const type = duckType(decimal(digits.precision + 1, Math.max(0, places)));
  const nearest = roundedNumber(value, places);
  if (nearest === undefined) return undefined;
  const rounded = `CAST(${nearest} AS ${type})`;
  const step = places > 0 ? `0.${'0'.repeat(places - 1)}1` : `1${'0'.repeat(-places)}`;
  const [isWrong, corrected] =
    name === 'floor' ? ['>', `${rounded} - ${step}`] : ['<', `${rounded} + ${step}`];
  const sql = `CASE WHEN ${rounded} ${isWrong} ${value.sql} THEN CAST(${corrected} AS ${type}) ELSE ${rounded} END`;
  const checked = mayOverflow(value, places) ? checkedNumber(sql, name.toUpperCase(), writing) : sql;
  return { sql: checked, type: decimal(digits.precision + 1, Math.max(0, places)) };
}

const TRUNCATE = toPlaces('trunc');

/**
 * A number, or a date. In `WAREHOUSE_ONE`, a date is cut to the start of a unit, as DATE_TRUNC does it with its
 * arguments the other way round. `WAREHOUSE_TWO` takes a timestamp alone, and gives its date.
 */
function truncateAny(call: TypedCall): Typed | undefined {
  const [value, unit] = call.values;
  if (value === undefined || !isDateLike(value.type)) return TRUNCATE.write?.(call);
  if (!isOne(call.writing)) {
    if (unit !== undefined)
      throw refusal('TRUNC of a date with a unit', call.at, call.writing, 'write DATE_TRUNC(unit, date)');
    return value.type.name === 'TIMESTAMP' ? { sql: `CAST(${value.sql} AS DATE)`, type: DATE } : undefined;
  }
  if (unit === undefined) return TRUNCATE.write?.(call);
  return DATES.DATE_TRUNC?.write?.({ ...call, values: [unit, value] });
}

/** Functions that round numbers. TRUNC also accepts dates. */
export const ROUNDING: Rules = {
  ROUND: { ...toPlaces('round'), warehouseArguments: { WAREHOUSE_ONE: [1, 3] } },
  TRUNC: { ...TRUNCATE, write: truncateAny },
  TRUNCATE: { ...TRUNCATE, only: 'WAREHOUSE_ONE', write: truncateAny },
  FLOOR: whole('floor'),
  CEIL: whole('ceil'),
  CEILING: whole('ceil'),
};
