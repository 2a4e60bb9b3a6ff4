import type { Redis } from 'ioredis';
import type { Keys } from '../scripts/keys.ts';

/**
 * Learns the address of the platform behind a credential of worker.yaml. The records are about that platform. Answers
 * the address that they know. If they knew none, that is `address`, and `isNew` is true.
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
