import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { deleteIfEqual, extendIfEqual } from '../../store/scripts/own-key.ts';

/** Lets only one worker at a time do some work, however long it takes. */
export interface Lease {
  /** Does the work alone; undefined if another worker is doing it. */
  runExclusive<T>(work: () => Promise<T>): Promise<T | undefined>;
}

/**
 * `forMs`: time in milliseconds after which another worker takes over from one that died. The owner extends the
 * lease while it works, so the time can be short: a long lease would block all workers for as long after a crash.
 */
export function createLease(redis: Redis, key: string, forMs: number, clock: Clock): Lease {
  async function keepExtending(mine: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(forMs / 3, signal).catch(() => undefined);
      // A failed extension is retried. A lease that has expired belongs to the worker that took it.
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
