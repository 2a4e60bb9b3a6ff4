import type { SqlType } from '../../core/sql-type.ts';
import { writeJson } from '../../duckdb/values/read-value.ts';
import { withUndefined } from '../../duckdb/values/undefined-element.ts';
import type { Value } from '../../duckdb/connection/warehouse.ts';

/**
 * Converts a value of the warehouse to the text that a variable gets. Numbers have no exponent, a NUMBER(p,s) has all
 * its decimal places, a VARIANT is JSON without spaces, and NULL is an empty text.
 */
export function valueText(value: Value, type: SqlType): string {
  if (value === null) return '';
  if (type.name === 'VARIANT' || typeof value === 'object') return withUndefined(writeJson(value));
  return typeof value === 'number' ? plainNumber(value) : String(value);
}

/** `1e-7` as `0.0000001`. */
function plainNumber(value: number): string {
  const [, sign = '', whole = '', decimals = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const digits = whole + decimals;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length
    ? sign + digits.padEnd(point, '0')
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
