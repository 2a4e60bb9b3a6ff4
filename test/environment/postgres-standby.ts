import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PostgresServer, ready, userOf } from './postgres.ts';
import { endServerWithParent } from './processes/end-with-parent.ts';
import { freePorts } from './redis-group.ts';

/** A standby that follows a primary, and has its slots (PostgreSQL 17 or later). */
export interface Standby extends AsyncDisposable {
  /** The folder of its socket. */
  readonly folder: string;
  readonly port: number;
}

/** Needs the physical slot `standby` on the primary. */
export async function startStandby(primary: PostgresServer): Promise<Standby> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace standby '));
  const user = userOf(folder);
  const as = { ...user, env: primary.env, cwd: folder };
  const data = path.join(folder, 'data');
  const from = `host='${primary.folder}' port=${String(primary.port)} user=postgres dbname=postgres`;
  const program = path.join(primary.bin, 'pg_basebackup');
  const copied = spawnSync(
    program,
    ['-D', data, '-d', from, '-R', '-S', 'standby', '-X', 'stream', '-c', 'fast'],
    as,
  );
  if (copied.status !== 0) throw new Error(`pg_basebackup failed: ${String(copied.stderr)}`);
  const [port = 0] = await freePorts(1);
  const settings = {
    port: String(port),
    unix_socket_directories: folder,
    hot_standby_feedback: 'on',
    sync_replication_slots: 'on',
    // The setting of the primary: its own slot is not here.
    synchronized_standby_slots: '',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(path.join(data, 'postgresql.auto.conf'), lines.join(''));
  const child = endServerWithParent(
    spawn(path.join(primary.bin, 'postgres'), ['-D', data], { ...as, stdio: ['ignore', 'ignore', 'pipe'] }),
    folder,
  );
  await ready(child);
  return {
    folder,
    port,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGQUIT');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
