import { createHash } from 'node:crypto';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { FUNCTIONS } from './functions.ts';
import { quoteText } from '../catalog/physical-name.ts';

/**
 * DuckDB's SQL of a text that has the order of a semi-structured value: numbers by value, texts by their characters,
 * false before true. Kind 2 orders the types too, and a JSON null is NULL there. Kind 1 documents no order of types:
 * the statement fails if it orders values of several types.
 */
export function orderKeySql(value: string, kind: WarehouseKind): string {
  const text = `CAST(${value} AS VARCHAR)`;
  if (kind === 'WAREHOUSE_TWO') return `${FUNCTIONS.orderKey}(nullif(${text}, 'null'), '')`;
  const place = createHash('sha1').update(value).digest('hex').slice(0, 8);
  return `${FUNCTIONS.orderKey}(${text}, ${quoteText(place)})`;
}

/** Like `orderKeySql`, for a single value. The first character of the text means the type. */
export function typedKeySql(value: string, kind: WarehouseKind): string {
  const text = `CAST(${value} AS VARCHAR)`;
  return `${FUNCTIONS.orderKey}(${kind === 'WAREHOUSE_TWO' ? `nullif(${text}, 'null')` : text}, '')`;
}
