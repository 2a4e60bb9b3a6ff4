import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports.ts';
import type { Keys } from '../../store/keys.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { takePlace } from './scripts.ts';

/**
 * Which pushes of a repository are being taken in at this moment, by any worker. GitHub answers about one sooner than
 * about another; where every push counts, they still go into a lane as they came.
 */
export interface IngestOrder {
  /** The push is being taken in, until what is given back is disposed of. */
  enter(push: Pick<PushEvent, 'repositoryId' | 'receivedAt'>): Promise<PlaceInOrder>;
}

interface PlaceInOrder extends AsyncDisposable {
  /** Waits for the pushes that came before, a few seconds at most: none is held up for good by one that hangs. */
  untilFirst(): Promise<void>;
}

const pollIntervalMs = 50;

/**
 * A push whose worker died, or that GitHub does not answer about, is waited for `maxWaitMs` and no longer.
 */
export function createIngestOrder(
  redis: Redis,
  keys: Pick<Keys, 'ingesting'>,
  { clock, maxWaitMs }: { readonly clock: Clock; readonly maxWaitMs: number },
): IngestOrder {
  return {
    async enter({ repositoryId, receivedAt }) {
      const places = keys.ingesting(repositoryId);
      const mine = await takePlace(redis, [places, `${places}:count`], {
        receivedAt,
        now: clock.now(),
        keepMs: 10 * maxWaitMs,
      });
      const isAwaited = (place: string) => clock.now() - Number(place.split(' ')[1]) < maxWaitMs;
      return {
        async untilFirst() {
          for (const end = clock.now() + maxWaitMs; clock.now() < end; await clock.sleep(pollIntervalMs)) {
            const all = await redis.zrange(places, '0', '-1');
            if (!all.slice(0, Math.max(0, all.indexOf(mine))).some(isAwaited)) return;
          }
        },
        async [Symbol.asyncDispose]() {
          await redis.zrem(places, mine);
        },
      };
    },
  };
}
