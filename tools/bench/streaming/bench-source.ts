import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../../../test/environment/postgres.ts';

/** A PostgreSQL server of its own with a table `orders`, which a role with a password may capture. */
export interface BenchSource extends AsyncDisposable {
  readonly server: PostgresServer;
  /** For child processes. */
  readonly address: SourceArguments;
  sql(text: string): Promise<void>;
  /** The end of the log, as a number. */
  end(): Promise<bigint>;
  /** Ends what a program left in the source. */
  drop(): Promise<void>;
}

export interface SourceArguments {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
}

const columns = `id bigint PRIMARY KEY, note text, amount numeric(10,2), at timestamptz, flag boolean`;

/** The values of a new row, by its number `i`. */
const values = `i, 'a note on the order ' || i, (i % 1000000) / 100.0,
  timestamptz '2026-01-01 00:00:00+00' + i * interval '1.000001 seconds', i % 3 = 0`;

/** @param rows the rows that the table has at first */
export async function startBenchSource(rows: number): Promise<BenchSource> {
  // As a server that people use has it: the log is written and read in the background, and nothing else runs.
  const server = await startPostgresServer({ settings: { max_wal_size: '4GB', checkpoint_timeout: '1h' } });
  const connect = async (database: string) => {
    const client = new pg.Client({ host: server.folder, port: server.port, user: 'postgres', database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const administrator = await connect('postgres');
  await administrator.query('CREATE DATABASE shop');
  await administrator.query(`ALTER USER postgres PASSWORD 'secret'`);
  await administrator.end();
  const client = await connect('shop');
  await client.query(`CREATE TABLE orders (${columns})`);
  if (rows > 0) await client.query(insertRows(1, rows));
  return {
    server,
    address: {
      host: '127.0.0.1',
      port: server.port,
      database: 'shop',
      username: 'postgres',
      password: 'secret',
    },
    sql: async (text) => void (await client.query(text)),
    async end() {
      const { rows: found } = await client.query<{ end: string }>(
        `SELECT (pg_current_wal_lsn() - '0/0')::text AS end`,
      );
      return BigInt(found[0]?.end ?? 0);
    },
    async drop() {
      await client.query(
        `SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE active`,
      );
      await client.query(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots`);
      await client.query('DROP PUBLICATION IF EXISTS bare');
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** One statement, and so one transaction. */
export function insertRows(first: number, last: number): string {
  return `INSERT INTO orders SELECT ${values} FROM generate_series(${first}, ${last}) i`;
}

/** The changes of one transaction of `mixedChanges`. */
const inserts = 50;
const updates = 40;
const deletes = 10;
export const changesOfTransaction = inserts + updates + deletes;

/**
 * Transactions of 100 changes: 50 inserts, 40 updates of rows from the whole table, 10 deletes. The rows 1 to `rows` are there, and each round
 * deletes others.
 */
export function mixedChanges(round: number, transactions: number, rows: number): string {
  const first = rows + round * transactions * inserts + 1;
  const deleted = round * transactions * deletes + 1;
  return `DO $$ BEGIN
    FOR t IN 0..${transactions - 1} LOOP
      INSERT INTO orders SELECT ${values} FROM generate_series(${first} + t * ${inserts}, ${first - 1} + (t + 1) * ${inserts}) i;
      UPDATE orders SET amount = amount + 1, at = at + interval '1 hour'
        WHERE id IN (SELECT ${rows / 2} + (t * 7919 + i * 104729) % ${rows / 2} FROM generate_series(1, ${updates}) i);
      DELETE FROM orders WHERE id BETWEEN ${deleted} + t * ${deletes} AND ${deleted - 1} + (t + 1) * ${deletes};
      COMMIT;
    END LOOP;
  END $$`;
}
