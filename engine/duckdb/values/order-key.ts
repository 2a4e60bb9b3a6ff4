import { createHash } from 'node:crypto';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { FUNCTIONS } from './functions.ts';
import { quoteText } from '../catalog/physical-name.ts';

/**
 * DuckDB's SQL for a text that sorts like a semi-structured value: numbers by value, texts by their characters, and
 * false before true. `WAREHOUSE_TWO` also has an order of types, and treats a JSON null as NULL. `WAREHOUSE_ONE`
 * documents no order of types, so there, a statement fails if it sorts values of several types.
 */
export function orderKeySql(value: string, kind: WarehouseKind): string {
  const text = `CAST(${value} AS VARCHAR)`;
  if (kind === 'WAREHOUSE_TWO') return `${FUNCTIONS.orderKey}(nullif(${text}, 'null'), '')`;
  const place = createHash('sha1').update(value).digest('hex').slice(0, 8);
  return `${FUNCTIONS.orderKey}(${text}, ${quoteText(place)})`;
}

/** Like `orderKeySql`, but for a single value. The first character always indicates the type. */
export function typedKeySql(value: string, kind: WarehouseKind): string {
  const text = `CAST(${value} AS VARCHAR)`;
  return `${FUNCTIONS.orderKey}(${kind === 'WAREHOUSE_TWO' ? `nullif(${text}, 'null')` : text}, '')`;
}
