import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Secret } from '../../lib/config/environment/secret.ts';
import type { Clock, Logger, Progress } from '../../lib/core/ports/ports.ts';
import { startEmbeddedRedis } from '../../lib/redis/server/embedded-redis.ts';
import { provideServerBinary } from '../../lib/redis/server/provide-server-binary.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { checkRedis } from '../../lib/redis/connection/redis-facts.ts';
import type { OpenedRedis } from '../worker/open-redis.ts';
import { redisIn } from './demo-folder.ts';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';

export interface DemoRedisOptions {
  /** MILLRACE_REDIS_URL; without it, an embedded Redis is started. */
  readonly url: Secret | undefined;
  /** The demo's folder. */
  readonly data: string;
  /** Whether the data outlives the demo. */
  readonly keep: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** A folder in which an earlier start may have unpacked a Redis, which saves the download. */
  readonly unpacked: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly progress: Progress;
}

/**
 * Opens the Redis of the demo. If it belongs to the user, the demo deletes only its own keys at the end. Throws
 * Failure 'redis-missing' and 'usage'.
 */
export async function openDemoRedis(options: DemoRedisOptions): Promise<OpenedRedis> {
  const { url, data, keep, environment, unpacked, clock, logger, progress } = options;
  if (url !== undefined) return openOwnRedis({ kind: 'url', url: url.reveal() }, prefixOf(data), keep);
  const embedded = await startEmbeddedRedis({
    directory: redisIn(data),
    findBinary: () =>
      provideServerBinary({
        environment,
        unpacked: existsSync(unpacked) ? unpacked : path.join(data, 'redis-package'),
        logger: {
          ...logger,
          // A download takes some seconds.
          info: (message) => progress.step(message),
        },
      }),
    logger,
    clock,
  });
  return { address: embedded.address, close: () => embedded.close() };
}

/** The prefix of the demo's keys, because a Redis of the user may hold keys of other workers. */
export function prefixOf(data: string): string {
  return `{millrace-demo-${createHash('sha256').update(data).digest('hex').slice(0, 12)}}`;
}

async function openOwnRedis(address: RedisAddress, prefix: string, keep: boolean): Promise<OpenedRedis> {
  await checkRedis(address);
  // The records of a demo that was killed are about a platform that is gone.
  if (!keep) await removeKeys(address, prefix);
  return { address, close: async () => (keep ? undefined : removeKeys(address, prefix)) };
}

/** Deletes all keys with a prefix. */
async function removeKeys(address: RedisAddress, prefix: string): Promise<void> {
  const redis = connectRedis({ address, role: 'worker' });
  try {
    // The pattern is a glob, so escape its special characters.
    const match = `${prefix.replaceAll(/[{}*?[\]\\]/g, String.raw`\$&`)}*`;
    for await (const keys of redis.scanStream({ match })) {
      const names: unknown = keys;
      if (Array.isArray(names) && names.length > 0) await redis.unlink(...names.map(String));
    }
  } finally {
    redis.disconnect();
  }
}
