import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { silentLogger } from '../../../lib/core/ports.ts';
import { systemClock } from '../../../lib/core/system-clock.ts';
import { startEmbeddedRedis } from '../../../lib/redis/embedded-redis.ts';
import { provideServerBinary } from '../../../lib/redis/provide-server-binary.ts';
import type { RedisAddress } from '../../../lib/redis/redis-address.ts';

export interface BenchRedis extends AsyncDisposable {
  readonly address: RedisAddress;
  /** The path of its socket. */
  readonly socket: string;
  readonly pid: number;
}

/** A Redis of one's own, with the settings of production: AOF, a sync a second. */
export async function startBenchRedis(): Promise<BenchRedis> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  const redis = await startEmbeddedRedis({
    directory: path.join(folder, 'redis'),
    findBinary: () =>
      provideServerBinary({
        environment: process.env,
        unpacked: path.resolve(import.meta.dirname, '../../../.millrace/redis'),
        logger: silentLogger,
      }),
    logger: silentLogger,
    clock: systemClock,
  });
  return {
    address: redis.address,
    socket: redis.address.kind === 'socket' ? redis.address.path : '',
    pid: redis.pid,
    async [Symbol.asyncDispose]() {
      await redis.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** CPU time of a process so far, user and system, by the kernel; a busy machine takes time away, not CPU. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Both in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
