import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import { slotName } from '../../../../platform/streaming/capture/slot-name.ts';
import type { Transformation } from '../../../../engine/index.ts';
import { postgresVersion, startPostgresServer } from '../../../environment/postgres.ts';
import { startStandby } from '../../../environment/postgres-standby.ts';
import { startRedisProxy } from '../../../environment/redis-proxy.ts';
import { replayedRows, rowsOfSource, rowsOfTarget } from './compare-rows.ts';
import { connectTo, createDatabase, testCapture } from './test-capture.ts';
import { ordersTable, workload } from './workload.ts';

const version = postgresVersion();
const missing =
  version === undefined || version < 17
    ? `it needs PostgreSQL 17 or later in PATH, and there is ${version === undefined ? 'none' : String(version)}`
    : undefined;

const socketOf = ({ folder, port }: { readonly folder: string; readonly port: number }) =>
  path.join(folder, `.s.PGSQL.${String(port)}`);

describe.skipIf(missing !== undefined)(
  `failover (${missing ?? `with PostgreSQL ${String(version)}`})`,
  () => {
    test.each([
      ['COPY_TABLE', 21],
      ['COPY_TABLE_SOFT_DELETE', 22],
      ['CHANGE_LOG', 23],
    ] as const)(
      '%s has lost and doubled nothing after its primary died and a standby took over',
      async (transformation, seed) => {
        const { target, source } = await failOver(transformation, seed);
        expect(target).toEqual(source);
      },
      300_000,
    );
  },
);

/**
 * The capture reaches both servers at one address, as by a name or a proxy that leads to the primary. Returns the rows of the target, or
 * the rows that its log gives, and the rows of the new primary.
 */
async function failOver(
  transformation: Transformation,
  seed: number,
): Promise<{ readonly target: unknown; readonly source: unknown }> {
  // A change is sent to the capture only after the standby has it.
  await using primary = await startPostgresServer({
    settings: { synchronized_standby_slots: 'standby' },
    access: ['local replication all trust'],
  });
  const database = 'shop';
  const before = await createDatabase(primary, database);
  await before.query(ordersTable);
  await before.query(`SELECT pg_create_physical_replication_slot('standby', true)`);
  await using standby = await startStandby(primary);
  await using proxy = await startRedisProxy(socketOf(primary));
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace failover '));
  const warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '500MB' });
  const id = `00000000-0000-4000-a000-${String(seed).padStart(12, '0')}`;
  const port = Number(new URL(proxy.address.url).port);
  const capture = testCapture({
    id,
    tables: ['orders'],
    port,
    database,
    warehouse,
    transformation,
    folder,
    silenceMs: 5000,
    batchRows: 50,
  });
  const statements = [...workload(seed, 400)].filter(
    (statement) => transformation !== 'CHANGE_LOG' || !statement.startsWith('ALTER'),
  );
  const half = statements.length / 2;
  try {
    capture.start();
    await vi.waitFor(() => expect(capture.status).toBe('streaming'), { timeout: 30_000 });
    for (const statement of statements.slice(0, half)) await before.query(statement);
    await synchronised(standby, id, before);
    for (const statement of statements.slice(half, half + 20)) await before.query(statement);
    await before.end().catch(() => undefined);
    await primary.kill();
    proxy.lead(socketOf(standby));
    const after = await connectTo({ ...primary, ...standby }, database);
    await after.query('SELECT pg_promote()');
    for (const statement of statements.slice(half + 20)) await after.query(statement);
    await after.query(`INSERT INTO orders (id, note) VALUES (-1, 'last')`);
    await caughtUp(after, id, () => capture.status);
    const isLog = transformation === 'CHANGE_LOG';
    const where = transformation === 'COPY_TABLE_SOFT_DELETE' ? 'NOT "IS_DELETED"' : 'true';
    const rows = {
      target: isLog ? await replayedRows(warehouse) : await rowsOfTarget(warehouse, after, where),
      source: await rowsOfSource(after, isLog ? 'id' : 'all'),
    };
    await capture.remove();
    await after.end();
    return rows;
  } finally {
    await capture.stop();
    await warehouse[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves when the standby has the slot, and would keep it as a primary. The server synchronises slots only now and then. */
async function synchronised(
  standby: { readonly folder: string; readonly port: number },
  id: string,
  primary: pg.Client,
): Promise<void> {
  const client = await connectTo(standby as Parameters<typeof connectTo>[0], 'postgres');
  await vi.waitFor(
    async () => {
      // The slot moves on only with the log.
      await primary.query(`UPDATE orders SET note = note WHERE id = (SELECT min(id) FROM orders)`);
      const { rows } = await client.query<{ done: boolean }>(
        `SELECT synced AND NOT temporary AND failover AS done FROM pg_replication_slots WHERE slot_name = '${slotName(id)}'`,
      );
      if (rows[0]?.done !== true) throw new Error('the standby does not have the slot');
    },
    { timeout: 120_000, interval: 500 },
  );
  await client.end();
}

async function caughtUp(client: pg.Client, id: string, status: () => string): Promise<void> {
  const { rows } = await client.query<{ end: string }>('SELECT pg_current_wal_lsn()::text AS end');
  await vi.waitFor(
    async () => {
      const slots = await client.query<{ done: boolean }>(
        `SELECT confirmed_flush_lsn >= '${rows[0]?.end ?? ''}' AS done FROM pg_replication_slots WHERE slot_name = '${slotName(id)}'`,
      );
      if (slots.rows[0]?.done !== true) throw new Error(`the target is behind, and ${status()}`);
      if (status() !== 'streaming') throw new Error(`the capture is ${status()}`);
    },
    { timeout: 60_000, interval: 100 },
  );
}
