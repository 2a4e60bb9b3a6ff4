import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { deleteIfEqual } from './scripts/own-key.ts';

/** A job that was under way in so many crashes may be their cause. */
export const quarantineFrom = 2;

/**
 * One place, for all workers, for a job that may be the cause of crashes. Beside a poison job others were under way
 * and look as guilty as it does; alone in its place only the guilty one goes on crashing, and the others clear
 * themselves.
 */
export interface Quarantine {
  /** Works alone; undefined where the place is taken: come again. */
  runAlone<T>(work: () => Promise<T>): Promise<{ readonly done: T } | undefined>;
}

/** `forMs`: the place is free again so long after a crash. */
export function createQuarantine(redis: Redis, prefix: string, forMs: number): Quarantine {
  const place = `${prefix}:quarantine`;
  return {
    async runAlone(work) {
      const mine = randomUUID();
      if ((await redis.set(place, mine, 'PX', forMs, 'NX')) === null) return undefined;
      try {
        return { done: await work() };
      } finally {
        await deleteIfEqual(redis, [place], { value: mine });
      }
    },
  };
}
