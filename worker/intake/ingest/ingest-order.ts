import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports.ts';
import type { Keys } from '../../store/keys.ts';
import { defineScript, runScript } from '../../store/script.ts';
import type { PushEvent } from '../../records/push-event.ts';

/**
 * Which pushes of a repository are being taken in at this moment, by any worker. GitHub answers about one sooner than
 * about another; where every push counts, they still go into a lane as they came.
 */
export interface IngestOrder {
  /** The push is being taken in, until what is given back is disposed of. */
  begin(push: Pick<PushEvent, 'repositoryId' | 'receivedAt'>): Promise<PlaceInOrder>;
}

interface PlaceInOrder extends AsyncDisposable {
  /** Waits for the pushes that came before, a few seconds at most: none is held up for good by one that hangs. */
  untilFirst(): Promise<void>;
}

const lookEveryMs = 50;

/** KEYS: places, counter. ARGV: when it came, now, milliseconds to keep them. Answers its place. */
const take = defineScript(`
local place = string.format('%016d %s', redis.call('INCR', KEYS[2]), ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[1], place)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[3]) end
return {place}
`);

/**
 * A push whose worker died, or that GitHub does not answer about, is waited for `longestMs` and no longer.
 */
export function createIngestOrder(
  redis: Redis,
  keys: Pick<Keys, 'takingIn'>,
  { clock, longestMs }: { readonly clock: Clock; readonly longestMs: number },
): IngestOrder {
  return {
    async begin({ repositoryId, receivedAt }) {
      const places = keys.takingIn(repositoryId);
      const [mine = ''] = await runScript(
        redis,
        take,
        [places, `${places}:count`],
        [receivedAt, clock.now(), 10 * longestMs],
      );
      const isAwaited = (place: string) => clock.now() - Number(place.split(' ')[1]) < longestMs;
      return {
        async untilFirst() {
          for (const end = clock.now() + longestMs; clock.now() < end; await clock.sleep(lookEveryMs)) {
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
