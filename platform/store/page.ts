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

/** Reads one page of a query with a stable order. Default: page 0, size 25 (spec §8, unknowns §1). */
export function readPage<Row, Item>(
  store: Store,
  query: PageQuery,
  select: { readonly sql: string; readonly values?: readonly SQLInputValue[] },
  show: (row: Row) => Item,
): Page<Item> {
  const { page = 0, size = 25 } = query;
  const values = select.values ?? [];
  const rows = store.all<Row>(`${select.sql} LIMIT ? OFFSET ?`, ...values, size, page * size);
  // A page that is not full is the last one, so the total is known.
  const last = rows.length < size && (rows.length > 0 || page === 0);
  const total = last ? page * size + rows.length : count(store, select.sql, values);
  return { page, results: rows.map(show), size, total };
}

function count(store: Store, sql: string, values: readonly SQLInputValue[]): number {
  return store.get<{ total: number }>(`SELECT count(*) AS total FROM (${sql})`, ...values)?.total ?? 0;
}
