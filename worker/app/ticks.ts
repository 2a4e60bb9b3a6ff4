import type { Clock } from '../../lib/core/ports/ports.ts';

/**
 * Returns a promise that resolves at the next whole multiple of an interval in milliseconds, or when the signal
 * aborts.
 */
export type Ticks = (everyMs: number, signal: AbortSignal) => Promise<void>;

/**
 * Counts the intervals of all tasks from the same moment, so that tasks that are due together wake the process
 * once, and their commands go to Redis in one write. A tick that is due in less than a tenth of its interval is
 * left out.
 */
export function createTicks(clock: Clock): Ticks {
  const begun = clock.now();
  return async (everyMs, signal) => {
    const elapsed = clock.now() - begun;
    const next = Math.ceil(elapsed / everyMs + 0.1) * everyMs;
    await clock.sleep(next - elapsed, signal).catch(() => undefined);
  };
}
