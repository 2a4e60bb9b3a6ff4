import type { Redis } from 'ioredis';
import { Failure } from '../../lib/core/failure.ts';
import { version } from '../../lib/core/version.ts';
import type { Keys } from '../store/keys.ts';

/** Throws Failure `records-newer` if the records in Redis have a newer format than this worker knows. */
export async function refuseNewer(redis: Redis, keys: Keys, known: number): Promise<void> {
  const { number: format = '0', version: writer = '' } = await redis.hgetall(keys.format);
  if (Number(format) <= known) return;
  throw new Failure('records-newer', {
    message: `The records in Redis (${keys.prefix}) have format ${format}, which Millrace ${writer} wrote. This is Millrace ${version}, which knows formats up to ${known}, so the worker does not start.`,
    hint: `Start Millrace ${writer} or later. To go back to this version, restore the backup of Redis from before the upgrade; see docs/worker-upgrade.md.`,
  });
}
