import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // Node wraps the reason in an AbortError; callers expect their own reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
