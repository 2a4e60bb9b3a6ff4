import type { SQLInputValue } from 'node:sqlite';
import type { Store } from './store.ts';

export interface PageQuery {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
}

/** The envelope of a paged list (spec §2). */
export interface Page<Item> {
  readonly page: number;
  readonly results: readonly Item[];
  readonly size: number;
  readonly total: number;
}

/** One page of a query that has a stable order; page 0 and size 25 where none is given (spec §8, field notes §1). */
export function readPage<Row, Item>(
  store: Store,
  query: PageQuery,
  select: { readonly sql: string; readonly values?: readonly SQLInputValue[] },
  show: (row: Row) => Item,
): Page<Item> {
  const { page = 0, size = 25 } = query;
  const values = select.values ?? [];
  const rows = store.all<Row>(`${select.sql} LIMIT ? OFFSET ?`, ...values, size, page * size);
  const total = store.get<{ total: number }>(`SELECT count(*) AS total FROM (${select.sql})`, ...values);
  return { page, results: rows.map(show), size, total: total?.total ?? 0 };
}
