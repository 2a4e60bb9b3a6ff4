import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from '../../../lib/redis/server/embedded-redis.ts';
import { readServerRecord } from '../../../lib/redis/server/server-record.ts';
import { testServerBinary } from '../../environment/redis-binary.ts';

/** A folder that is removed after the test, together with whatever server still runs on it. */
export function redisFolder(...inside: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-embedded-'));
  const directory = join(folder, ...inside);
  onTestFinished(() => {
    const record = readServerRecord(directory);
    if (record !== undefined && record.pid > 0 && record.pid !== process.pid) end(record.pid);
    rmSync(folder, { recursive: true, force: true });
  });
  return directory;
}

/** Starts an embedded Redis that is closed after the test, if the test did not. */
export async function startIn(directory: string, clock: Clock = systemClock): Promise<EmbeddedRedis> {
  const embedded = await startEmbeddedRedis({
    directory,
    findBinary: testServerBinary,
    logger: silentLogger,
    clock,
  });
  onTestFinished(() => embedded.close());
  return embedded;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
