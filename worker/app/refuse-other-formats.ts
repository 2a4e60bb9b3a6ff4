import type { Redis } from 'ioredis';
import { Failure } from '../../lib/core/errors/failure.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { version } from '../../lib/core/values/version.ts';
import { recordFormat } from '../records/record-format.ts';
import { restoringFormat } from '../store/recovery/snapshot.ts';
import type { Keys } from '../store/scripts/keys.ts';

/**
 * Throws Failure `records-too-old` if a worker from before record formats wrote the records in Redis. It called
 * promotions runs, so this version would wait without end for promotions that do not exist.
 */
export async function refuseTooOld(redis: Redis, { prefix, lanes, lane }: Keys): Promise<void> {
  const ids = await redis.smembers(lanes);
  const ofLane = ids[0] === undefined ? [] : await redis.hmget(lane(ids[0]), 'liveRun', 'lastRun');
  const isOld = (await redis.exists(`${prefix}:runs`)) === 1 || ofLane.some((value) => value !== null);
  if (!isOld) return;
  throw new Failure('records-too-old', {
    message: `The records in Redis (${prefix}) are of a worker from before 22 November 2026. This is Millrace ${version}, which reads formats 1 to ${recordFormat} of the records, so the worker does not start. They have ${numberOf(ids.length, 'lane')}: ${ids.toSorted().slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}.`,
    hint: 'Start the old worker again, and let it finish or cancel its promotions. Stop it, empty this database of Redis or name another one in MILLRACE_REDIS_URL, and start this version with `empty-redis: new`. See docs/worker-upgrade.md.',
  });
}

/** Throws Failure `records-newer` if the records in Redis have a newer format than this worker knows. */
export async function refuseNewer(redis: Redis, keys: Keys, knownFormat: number): Promise<void> {
  const { number: format = '0', version: writer = '' } = await redis.hgetall(keys.format);
  if (Number(format) <= knownFormat) return;
  if (Number(format) === restoringFormat)
    throw new Failure('records-newer', {
      message: `A restore of the records in Redis (${keys.prefix}) runs, or was interrupted, so they are not whole and no worker uses them.`,
      hint: 'If no restore runs, run `millrace worker restore FILE --replace` again, until it ends.',
    });
  throw new Failure('records-newer', {
    message: `The records in Redis (${keys.prefix}) have format ${format}, which Millrace ${writer} wrote. This is Millrace ${version}, which knows formats up to ${knownFormat}, so the worker does not start.`,
    hint: `Start Millrace ${writer} or later. To go back to this version, restore the backup of Redis from before the upgrade; see docs/worker-upgrade.md.`,
  });
}
