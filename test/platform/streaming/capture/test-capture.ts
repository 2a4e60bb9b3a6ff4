import pg from 'pg';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { Capture } from '../../../../platform/streaming/capture/capture.ts';
import { openSource } from '../../../../platform/streaming/source/open-source.ts';
import type { Transformation } from '../../../../engine/index.ts';
import type { PostgresServer } from '../../../environment/postgres.ts';

export interface TestCapture {
  readonly id: string;
  readonly tables: readonly string[];
  readonly port: number;
  readonly database: string;
  readonly warehouse: Warehouse;
  readonly transformation: Transformation;
  /** Of the spool. */
  readonly folder: string;
  /** Milliseconds after which a silent connection counts as dead. */
  readonly silenceMs: number;
  readonly batchRows: number | undefined;
}

/** A capture from a database into the schema PUBLIC of the database RAW. It tries again at once. */
export function testCapture({
  database,
  port,
  warehouse,
  tables,
  silenceMs,
  transformation,
  ...rest
}: TestCapture): Capture {
  return new Capture({
    ...rest,
    name: 'orders',
    tables: tables.map((table) => ({ schema: 'public', table })),
    openSource: () =>
      openSource({
        host: '127.0.0.1',
        port,
        database,
        username: 'postgres',
        password: 'secret',
        sslMode: 'disable',
        connectMs: 5000,
        silenceMs,
      }),
    openTarget: async () => ({
      warehouse,
      kind: 'WAREHOUSE_ONE',
      options: {
        database: 'RAW',
        schema: 'PUBLIC',
        sourceDatabase: database,
        prefixType: 'NONE',
        prefix: '',
        transformation,
        temporal: 'NATIVE',
      },
    }),
    clock: { now: () => systemClock.now(), sleep: (_ms, signal) => systemClock.sleep(20, signal) },
    logger: silentLogger,
  });
}

/** A connection as the superuser. */
export async function connectTo(server: PostgresServer, database: string): Promise<pg.Client> {
  const client = new pg.Client({ host: server.folder, port: server.port, user: 'postgres', database });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Creates a database, and gives the superuser the password that captures use. */
export async function createDatabase(server: PostgresServer, database: string): Promise<pg.Client> {
  const administrator = await connectTo(server, 'postgres');
  await administrator.query(`CREATE DATABASE ${database}`);
  await administrator.query(`ALTER USER postgres PASSWORD 'secret'`);
  await administrator.end();
  return connectTo(server, database);
}
