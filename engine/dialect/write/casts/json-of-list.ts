import type { SqlType } from '../../../core/sql-type.ts';
import { digitsOf } from '../sql/typed.ts';
import { numberText } from './number-text.ts';

/**
 * The SQL for the JSON text of a list. DuckDB's own JSON functions cannot be used: they would read a decimal number
 * as a DOUBLE, and would write some decimal numbers without the 0 before the point, which is invalid JSON.
 */
export function jsonOfList(list: string, type: SqlType): string {
  const isFraction = (digitsOf(type)?.scale ?? 0) > 0;
  if (type.name !== 'VARIANT' && !isFraction) return `CAST(to_json(${list}) AS VARCHAR)`;
  const text = isFraction ? numberText('item', type) : 'CAST(item AS VARCHAR)';
  return `('[' || array_to_string(list_transform(${list}, lambda item: ${text}), ',') || ']')`;
}
