import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { deleteIfEqual } from '../scripts/own-key.ts';

/** Crashes with the same running job from which that job may be their cause. */
export const quarantineFrom = 2;

/**
 * One place, for all workers, for a job that may cause crashes. Jobs that ran beside a poison job look as
 * guilty as it does. In quarantine each runs alone: only the poison job keeps crashing, and the others clear
 * themselves.
 */
export interface Quarantine {
  /** Runs the work alone; undefined if the place is taken: try again later. */
  runAlone<T>(work: () => Promise<T>): Promise<{ readonly done: T } | undefined>;
}

/** `forMs`: time after a crash until the place is free again. */
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
