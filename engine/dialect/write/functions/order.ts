import type { OrderItem } from '../../parse/tree.ts';
import { orderKeySql } from '../../../duckdb/values/order-key.ts';
import type { Typed } from '../sql/typed.ts';
import type { Writing } from '../sql/writing.ts';

/**
 * The direction of an ORDER BY in DuckDB's SQL. As in both kinds of warehouse, NULLs count as larger than all values.
 */
export function orderDirectionOf(item: OrderItem): string {
  const nulls = item.nulls ?? (item.isDescending ? 'FIRST' : 'LAST');
  return `${item.isDescending ? 'DESC' : 'ASC'} NULLS ${nulls}`;
}

/**
 * The SQL expression by which rows are sorted. Semi-structured values need one, because their texts do not sort like
 * the values.
 */
export function orderedBy({ sql, type }: Pick<Typed, 'sql' | 'type'>, writing: Writing): string {
  return type.name === 'VARIANT' ? orderKeySql(sql, writing.session.context.warehouse) : sql;
}
