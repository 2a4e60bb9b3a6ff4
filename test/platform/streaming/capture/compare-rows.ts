import type pg from 'pg';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';

type Rows = readonly (readonly (string | null)[])[];

/** The columns of the table `orders` of the source. */
async function columnNames(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'orders' ORDER BY ordinal_position`,
  );
  return rows.map(({ name }) => name);
}

/** The rows of the source as texts, sorted. */
export async function rowsOfSource(client: pg.Client, order: 'all' | 'id'): Promise<Rows> {
  const names = await columnNames(client);
  const columns = names.map((name) =>
    order === 'id' && name === 'amount' ? 'amount::float8::text' : `"${name}"::text`,
  );
  const { rows } = await client.query<(string | null)[]>({
    text: `SELECT ${columns.join(', ')} FROM orders`,
    rowMode: 'array',
  });
  return sorted(rows);
}

/** The rows of the target as texts, with the columns of the source, sorted. */
export async function rowsOfTarget(warehouse: Warehouse, client: pg.Client, where: string): Promise<Rows> {
  const names = await columnNames(client);
  const columns = names.map((name) => `CAST("${name.toUpperCase()}" AS VARCHAR)`);
  const { rows } = await warehouse.query(
    `SELECT ${columns.join(', ')} FROM "RAW.PUBLIC"."ORDERS" WHERE ${where}`,
    { maxRows: 1_000_000 },
  );
  return sorted(rows as Rows);
}

type Row = Readonly<Record<string, unknown>>;

/** The rows that a change log gives, in the columns of `orders`, sorted. */
export async function replayedRows(warehouse: Warehouse): Promise<Rows> {
  const { rows } = await warehouse.query(
    'SELECT * FROM "RAW.PUBLIC"."ORDERS" ORDER BY "POSITION", "TRANSACTION_ORDER"',
    { maxRows: 1_000_000 },
  );
  const result = new Map<string, Row>();
  for (const [operation, before, after] of rows as readonly [string, Row | null, Row | null][]) {
    const key = String((before ?? after)?.['id']);
    const last = result.get(key);
    if (operation === 'truncate') result.clear();
    if (operation === 'delete' || operation === 'update') result.delete(key);
    if (after !== null) result.set(String(after['id']), { ...last, ...after });
  }
  const text = (value: unknown) =>
    value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
  return sorted(
    [...result.values()].map((row) => ['id', 'note', 'amount', 'flag', 'big'].map((name) => text(row[name]))),
  );
}

function sorted(rows: Rows): Rows {
  const key = (row: readonly (string | null)[]) => JSON.stringify(row);
  return rows.toSorted((one, two) => (key(one) < key(two) ? -1 : 1));
}
