import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../lib/core/ports.ts';

/** A clock that stays where the test sets it, except that waiting advances it. */
export function testClock(startsAt: number): Clock {
  let now = startsAt;
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      now += ms;
      // Timers and signals get their turn, also in a pipeline that waits in an endless loop.
      await setImmediate();
      signal?.throwIfAborted();
    },
  };
}
