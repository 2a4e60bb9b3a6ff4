import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import type { Capture } from '../../../../platform/streaming/capture/capture.ts';
import { slotName } from '../../../../platform/streaming/capture/slot-name.ts';
import type { Transformation } from '../../../../engine/index.ts';
import type { PostgresServer } from '../../../environment/postgres.ts';
import { connectTo, createDatabase, testCapture } from './test-capture.ts';

export interface ShopOptions {
  readonly transformation?: Transformation;
  readonly tables?: readonly string[];
  readonly batchRows?: number;
  /** The file of the warehouse. Default: in memory. */
  readonly file?: string;
  readonly id?: string;
}

/** A database of its own in the server, a warehouse, and a capture between them. */
export interface Shop extends AsyncDisposable {
  readonly database: string;
  readonly warehouse: Warehouse;
  readonly capture: Capture;
  sql(text: string): Promise<void>;
  /** Rows of the source as texts. */
  rows(text: string): Promise<readonly (readonly (string | null)[])[]>;
  /** Resolves when everything that the source has committed is in the target. */
  caughtUp(): Promise<void>;
  /** Resolves with the status that the capture has reached. Throws for a capture that has failed. */
  reached(status: string): Promise<void>;
}

let databases = 0;

/** @param setUp SQL of the tables */
export async function openShop(
  server: PostgresServer,
  setUp: string,
  options: ShopOptions = {},
): Promise<Shop> {
  databases += 1;
  const database = `shop_${String(process.pid)}_${String(databases)}`;
  let client = await createDatabase(server, database);
  await client.query(setUp);
  const warehouse = await openWarehouse({
    kind: 'WAREHOUSE_ONE',
    memoryLimit: '500MB',
    ...(options.file === undefined ? {} : { file: options.file }),
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace spool '));
  const id = options.id ?? `00000000-0000-4000-8000-${String(databases).padStart(12, '0')}`;
  const capture = testCapture({
    id,
    tables: options.tables ?? ['orders'],
    port: server.port,
    database,
    warehouse,
    transformation: options.transformation ?? 'COPY_TABLE',
    folder,
    silenceMs: 60_000,
    batchRows: options.batchRows,
  });
  const query = async (text: string) => {
    try {
      return await client.query({ text, rowMode: 'array' });
    } catch (error) {
      // The server may have been started again.
      if (!/terminat|closed|ECONN|not queryable/i.test(String(error))) throw error;
      client = await connectTo(server, database);
      return client.query({ text, rowMode: 'array' });
    }
  };
  return {
    database,
    warehouse,
    capture,
    sql: async (text) => void (await query(text)),
    rows: async (text) =>
      (await query(text)).rows.map((row: unknown[]) =>
        row.map((value) => (value === null ? null : String(value as string | number | boolean))),
      ),
    async caughtUp() {
      const [[end = ''] = []] = (await query('SELECT pg_current_wal_lsn()::text')).rows as string[][];
      await vi.waitFor(
        async () => {
          if (capture.reason !== undefined && capture.status === 'not_running')
            throw new Error(`the capture has failed: ${capture.reason.message}`);
          const { rows } = await query(
            `SELECT confirmed_flush_lsn >= '${end}' FROM pg_replication_slots WHERE slot_name = '${slotName(id)}'`,
          );
          if ((rows[0] as unknown[] | undefined)?.[0] !== true) throw new Error('the target is behind');
          // A table that gets a snapshot of its own has it now.
          if (capture.status !== 'streaming') throw new Error(`the capture is ${capture.status}`);
        },
        { timeout: 30_000, interval: 20 },
      );
    },
    reached: (status) =>
      vi.waitFor(
        () => {
          if (capture.status !== status)
            throw new Error(`${capture.status} instead of ${status}: ${capture.reason?.message ?? ''}`);
        },
        { timeout: 30_000, interval: 10 },
      ),
    async [Symbol.asyncDispose]() {
      await capture.remove().catch(() => undefined);
      await client.end().catch(() => undefined);
      await warehouse[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The rows of a table of the target as texts, with the columns that the source has. */
export async function targetRows(shop: Shop, table = 'orders', where = 'true'): Promise<unknown> {
  const names = await columnNames(shop, table);
  const columns = names.map((name) => `CAST("${name.toUpperCase()}" AS VARCHAR)`);
  const { rows } = await shop.warehouse.query(
    `SELECT ${columns.join(', ')} FROM "RAW.PUBLIC"."${table.toUpperCase()}" WHERE ${where} ORDER BY ALL`,
    { maxRows: 1_000_000 },
  );
  return rows;
}

/** The rows of a table of the source as texts, in the order of `targetRows`. */
export async function sourceRows(shop: Shop, table = 'orders'): Promise<unknown> {
  const names = await columnNames(shop, table);
  const columns = names.map((name) => `"${name}"::text COLLATE "C"`);
  return shop.rows(
    `SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${names.map((_, at) => at + 1).join(', ')}`,
  );
}

async function columnNames(shop: Shop, table: string): Promise<readonly string[]> {
  const rows = await shop.rows(
    `SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '${table}' ORDER BY ordinal_position`,
  );
  return rows.map(([name]) => name ?? '');
}
