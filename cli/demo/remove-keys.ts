import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';

/** Deletes all keys with a prefix. */
export async function removeKeys(address: RedisAddress, prefix: string): Promise<void> {
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
