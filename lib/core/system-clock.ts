import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // Node wraps the reason in an AbortError; callers want the reason that they gave.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
