import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports.ts';
import { deleteIfEqual, extendIfEqual } from '../../store/scripts/own-key.ts';

/** Lets one worker at a time do something, however long that takes. */
export interface Lease {
  /** Does it alone; undefined where another worker is at it. */
  runExclusive<T>(work: () => Promise<T>): Promise<T | undefined>;
}

/**
 * `forMs`: so long after a worker died another one takes over. It is short, and whoever lives prolongs it: one long
 * enough for the longest work would keep everybody out for as long after a crash.
 */
export function createLease(redis: Redis, key: string, forMs: number, clock: Clock): Lease {
  async function keepExtending(mine: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(forMs / 3, signal).catch(() => undefined);
      // What fails is tried again; a lease that ran out meanwhile belongs to whoever took it.
      if (!signal.aborted)
        await extendIfEqual(redis, [key], { value: mine, ms: forMs }).catch(() => undefined);
    }
  }
  return {
    async runExclusive(work) {
      const mine = randomUUID();
      if ((await redis.set(key, mine, 'PX', forMs, 'NX')) === null) return undefined;
      const over = new AbortController();
      const keeping = keepExtending(mine, over.signal);
      try {
        return await work();
      } finally {
        over.abort();
        await keeping;
        await deleteIfEqual(redis, [key], { value: mine });
      }
    },
  };
}
