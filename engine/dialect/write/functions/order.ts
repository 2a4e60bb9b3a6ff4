import type { OrderItem } from '../../tree.ts';

/** NULLs are larger than all values, as in both kinds of warehouse. */
export function orderDirectionOf(item: OrderItem): string {
  const nulls = item.nulls ?? (item.isDescending ? 'FIRST' : 'LAST');
  return `${item.isDescending ? 'DESC' : 'ASC'} NULLS ${nulls}`;
}
