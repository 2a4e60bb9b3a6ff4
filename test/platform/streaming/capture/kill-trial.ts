import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import { slotName } from '../../../../platform/streaming/capture/slot-name.ts';
import type { Transformation } from '../../../../engine/index.ts';
import type { PostgresServer } from '../../../environment/postgres.ts';
import { endWithParent } from '../../../environment/processes/end-with-parent.ts';
import { startRedisProxy } from '../../../environment/redis-proxy.ts';
import { replayedRows, rowsOfSource, rowsOfTarget } from './compare-rows.ts';
import { connectTo, createDatabase } from './test-capture.ts';
import { ordersTable, workload } from './workload.ts';

export interface CaptureArguments {
  readonly file: string;
  readonly folder: string;
  readonly id: string;
  readonly port: number;
  readonly database: string;
  readonly transformation: Transformation;
}

export interface KillTrial {
  readonly transformation: Transformation;
  readonly seed: number;
  /** How often each happens, between statements that the seed chooses. */
  readonly kills: number;
  readonly crashesOfServer: number;
  readonly cuts: number;
  /** Statements between two of these. */
  readonly pace: number;
}

const entry = fileURLToPath(new URL('capture-process.ts', import.meta.url));

/**
 * Changes the source while the capturing process is killed, the server crashes, and connections stop without an end. At the end, the
 * target must equal the source; a change log must replay to it. Returns the number of statements.
 */
export async function runKillTrial(server: PostgresServer, trial: KillTrial): Promise<number> {
  const { transformation, seed } = trial;
  const database = `kills_${String(process.pid)}_${String(seed)}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace kills '));
  const file = path.join(folder, 'warehouse.duckdb');
  const id = `00000000-0000-4000-9000-${String(seed).padStart(12, '0')}`;
  let client = await createDatabase(server, database);
  await client.query(ordersTable);
  await using proxy = await startRedisProxy(path.join(server.folder, `.s.PGSQL.${String(server.port)}`));
  const port = Number(new URL(proxy.address.url).port);
  const start = () => startCapture({ file, folder, id, port, database, transformation });
  let child = await start();
  const order = spread([
    ['kill', trial.kills],
    ['crash', trial.crashesOfServer],
    ['cut', trial.cuts],
  ]);
  let statements = 0;
  try {
    for (const statement of workload(seed, (order.length + 1) * trial.pace)) {
      // The log of a table whose columns have other names cannot be compared with it.
      if (transformation === 'CHANGE_LOG' && statement.startsWith('ALTER')) continue;
      await client.query(statement);
      statements += 1;
      if (statements % trial.pace !== 0) continue;
      const fault = order.shift();
      if (fault === 'kill') {
        await end(child, 'SIGKILL');
        child = await start();
      } else if (fault === 'crash') {
        await client.end().catch(() => undefined);
        await server.kill();
        await server.start();
        client = await connectTo(server, database);
      } else if (fault === 'cut') proxy.silence();
    }
    // New columns come with the next change of the table.
    await client.query(`INSERT INTO orders (id, note) VALUES (-1, 'last')`);
    await caughtUp(client, id);
    await end(child, 'SIGTERM');
    await using warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '500MB', file });
    if (transformation === 'CHANGE_LOG')
      expect(await replayedRows(warehouse), `seed ${String(seed)}`).toEqual(await rowsOfSource(client, 'id'));
    else {
      const where = transformation === 'COPY_TABLE' ? 'true' : 'NOT "IS_DELETED"';
      expect(await rowsOfTarget(warehouse, client, where), `seed ${String(seed)}`).toEqual(
        await rowsOfSource(client, 'all'),
      );
    }
    return statements;
  } finally {
    await end(child, 'SIGKILL');
    await client.query(
      `SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = '${database}' AND active`,
    );
    await vi.waitFor(() =>
      client.query(
        `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '${database}'`,
      ),
    );
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each kind as often as it says, spread evenly. */
function spread<Kind extends string>(kinds: readonly (readonly [Kind, number])[]): Kind[] {
  return kinds
    .flatMap(([kind, times]) =>
      Array.from({ length: times }, (_, index) => ({ kind, at: (index + 0.5) / times })),
    )
    .toSorted((one, two) => one.at - two.at)
    .map(({ kind }) => kind);
}

async function startCapture(options: CaptureArguments): Promise<ChildProcess> {
  const child = endWithParent(
    spawn(process.execPath, [entry, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  child.stdout.resume();
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Resolves when everything is acknowledged, and no snapshot is being taken. */
async function caughtUp(client: pg.Client, id: string): Promise<void> {
  const wal = await client.query<{ end: string }>('SELECT pg_current_wal_lsn()::text AS end');
  await vi.waitFor(
    async () => {
      const { rows } = await client.query<{ slot_name: string; done: boolean; active: boolean | null }>(
        `SELECT s.slot_name, r.state = 'streaming' AS active, s.confirmed_flush_lsn >= '${wal.rows[0]?.end ?? ''}' AS done
         FROM pg_replication_slots s LEFT JOIN pg_stat_replication r ON r.pid = s.active_pid
         WHERE s.slot_name LIKE '${slotName(id)}%'`,
      );
      const [slot] = rows;
      if (rows.length !== 1 || slot?.done !== true || slot.active !== true)
        throw new Error('the target is behind');
    },
    { timeout: 60_000, interval: 100 },
  );
}
