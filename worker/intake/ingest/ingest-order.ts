import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports.ts';
import type { Keys } from '../../store/keys.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { takePlace } from './scripts.ts';

/**
 * The pushes of a repository that are being ingested now, by any worker. GitHub answers some requests sooner
 * than others; where every push counts, the pushes still enter a lane in the order of their arrival.
 */
export interface IngestOrder {
  /** Registers the push as being ingested until the result is disposed. */
  enter(push: Pick<PushEvent, 'repositoryId' | 'receivedAt'>): Promise<PlaceInOrder>;
}

interface PlaceInOrder extends AsyncDisposable {
  /**
   * Waits a few seconds at most for the pushes that arrived before, so that one that hangs does not block the
   * others.
   */
  untilFirst(): Promise<void>;
}

const pollIntervalMs = 50;

/** `maxWaitMs`: longest wait for a push whose worker died, or about which GitHub does not answer. */
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
