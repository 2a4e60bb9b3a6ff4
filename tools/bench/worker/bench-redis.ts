import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { startEmbeddedRedis } from '../../../lib/redis/server/embedded-redis.ts';
import { provideServerBinary } from '../../../lib/redis/server/provide-server-binary.ts';
import type { RedisAddress } from '../../../lib/redis/address/redis-address.ts';

export interface BenchRedis extends AsyncDisposable {
  readonly address: RedisAddress;
  /** The path of its socket. */
  readonly socket: string;
  readonly pid: number;
}

/** Starts a separate Redis with the settings of production: an AOF that is synced every second. */
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

/**
 * CPU time of the threads of a process so far, by the kernel, in milliseconds; a busy machine takes time away, not CPU. It is
 * exact to the nanosecond: `/proc/<pid>/stat` counts whole hundredths of a second, about a promotion of a bare program.
 */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
  return ns.reduce((sum, value) => sum + Number(value), 0) / 1e6;
}
