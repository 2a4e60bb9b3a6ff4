import type { SqlType } from '../../../core/sql-type.ts';
import type { OrderItem } from '../../tree.ts';
import { refusal, type Writing } from '../writing.ts';

/** NULLs are larger than all values, as in both kinds of warehouse. */
export function orderDirectionOf(item: OrderItem): string {
  const nulls = item.nulls ?? (item.isDescending ? 'FIRST' : 'LAST');
  return `${item.isDescending ? 'DESC' : 'ASC'} NULLS ${nulls}`;
}

/** The texts of semi-structured values do not have the order of the values. */
export function refuseVariantOrder(type: SqlType, at: number, writing: Writing): void {
  if (type.name === 'VARIANT') throw refusal('ORDER BY a semi-structured value', at, writing, 'cast it');
}
