import type { Redis } from 'ioredis';
import type { Keys } from '../scripts/keys.ts';

/**
 * Reads the address of the platform to which the records of a credential belong. If the records have none, stores
 * `address`, and `isNew` is true.
 */
export async function learnAddress(
  redis: Redis,
  { platforms }: Pick<Keys, 'platforms'>,
  credential: string,
  address: string,
): Promise<{ readonly known: string; readonly isNew: boolean }> {
  if ((await redis.hsetnx(platforms, credential, address)) === 1) return { known: address, isNew: true };
  return { known: (await redis.hget(platforms, credential)) ?? address, isNew: false };
}
