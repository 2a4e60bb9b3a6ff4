import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** The longest delay of a timer, in milliseconds: 24.8 days. Node ends a longer one at once. */
const maxDelayMs = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      let left = ms;
      do {
        await delay(Math.min(left, maxDelayMs), undefined, signal === undefined ? {} : { signal });
        left -= maxDelayMs;
      } while (left > 0);
    } catch (error) {
      // Node wraps the reason in an AbortError; callers expect their own reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
