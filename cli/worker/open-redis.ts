import path from 'node:path';
import type { Secret } from '../../lib/config/environment/secret.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { startEmbeddedRedis } from '../../lib/redis/server/embedded-redis.ts';
import { provideServerBinary } from '../../lib/redis/server/provide-server-binary.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { checkRedis } from '../../lib/redis/connection/redis-facts.ts';
import type { Io } from '../terminal/io.ts';

export interface OpenedRedis {
  readonly address: RedisAddress;
  /** Stops the embedded server unless another worker uses it. Does not stop the server of MILLRACE_REDIS_URL. */
  close(): Promise<void>;
}

/**
 * Connects to the Redis of `MILLRACE_REDIS_URL`, and checks the settings that the worker relies on. Without the
 * variable, starts an embedded server with its data in `.millrace/`. Throws Failure 'redis-missing' and 'usage'.
 */
export async function openRedis(io: Io, url: Secret | undefined, logger: Logger): Promise<OpenedRedis> {
  if (url !== undefined) {
    const address = { kind: 'url', url: url.reveal() } as const;
    await checkRedis(address);
    return { address, close: async () => {} };
  }
  const home = path.resolve(io.cwd, '.millrace');
  const embedded = await startEmbeddedRedis({
    directory: path.join(home, 'worker-redis'),
    findBinary: () =>
      provideServerBinary({ environment: io.env, unpacked: path.join(home, 'redis'), logger }),
    logger,
    clock: io.clock,
  });
  return { address: embedded.address, close: () => embedded.close() };
}
