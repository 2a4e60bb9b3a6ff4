import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { deleteIfEqual } from '../scripts/own-key.ts';

/** The number of crashes during the same job after which the job counts as a possible cause. */
export const quarantineFrom = 2;

/**
 * A place in which one job at a time runs alone, for all workers, because it may crash workers. Jobs that ran
 * beside the real cause look like causes too. Alone, only the real cause crashes again, and the others end
 * normally.
 */
export interface Quarantine {
  /** Runs the work alone; undefined if the place is taken: try again later. */
  runAlone<T>(work: () => Promise<T>): Promise<{ readonly done: T } | undefined>;
}

/** `forMs`: time in milliseconds after a crash until the place is free again. */
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
