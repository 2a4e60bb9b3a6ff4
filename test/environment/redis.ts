import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { silentLogger } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { startEmbeddedRedis, type EmbeddedRedis } from '../../lib/redis/server/embedded-redis.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { connectRedis, type RedisRole } from '../../lib/redis/connection/redis-connection.ts';
import { endProcessWithParent, endRedisWithParent } from './processes/end-with-parent.ts';
import { testServerBinary } from './redis-binary.ts';

export interface TestRedis {
  /** For `startWorker` and whatever else takes an address. */
  readonly address: RedisAddress;
  /** The server's process, for tests that kill it. */
  readonly pid: number;
  /** Opens a connection; it is closed after the file's tests. */
  connect(role?: RedisRole): Redis;
  /** Empties it, for a `beforeEach`. */
  empty(): Promise<void>;
}

/**
 * One real, throw-away Redis for the test file (or `describe` block) that calls this at its top. It starts before
 * the first test, ends after the last, and leaves nothing behind.
 *
 *     const redis = testRedis();
 *     test('…', async () => { await redis.connect().set('a', 'b'); });
 */
export function testRedis(): TestRedis {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-redis-'));
  const connections: Redis[] = [];
  let embedded: EmbeddedRedis | undefined;
  let forget: (() => void) | undefined;

  beforeAll(async () => {
    endRedisWithParent(folder);
    embedded = await startEmbeddedRedis({
      directory: folder,
      findBinary: testServerBinary,
      logger: silentLogger,
      clock: systemClock,
    });
    forget = endProcessWithParent(embedded.pid);
    // No test cuts the power, and a busy disk would make every test slow.
    await connect().config('SET', 'appendfsync', 'everysec');
  });

  afterAll(async () => {
    for (const connection of connections) connection.disconnect();
    await embedded?.close();
    forget?.();
    rmSync(folder, { recursive: true, force: true });
  });

  const running = (): EmbeddedRedis => {
    if (embedded === undefined)
      throw new Error('the test Redis runs only while tests do: use it inside a test or hook');
    return embedded;
  };

  const connect = (role: RedisRole = 'worker'): Redis => {
    const connection = connectRedis({ address: running().address, role });
    connections.push(connection);
    return connection;
  };

  return {
    get address() {
      return running().address;
    },
    get pid() {
      return running().pid;
    },
    connect,
    async empty() {
      const connection = connect();
      await connection.flushall();
      connection.disconnect();
    },
  };
}
