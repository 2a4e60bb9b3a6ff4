import type { Clock } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';

/** The machine's clock, on which no wait takes longer than 20 ms: for pauses between polls and attempts. */
export const shortWaits: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal),
};

/** A clock that is frozen until a test moves it. */
export interface ManualClock extends Clock {
  /**
   * Moves on by `ms`, waking sleepers in the order of their time and, at the same time, of falling asleep. What a
   * sleeper does next (falling asleep again included) happens before time moves further.
   */
  advance(ms: number): Promise<void>;
  /** How many are asleep. */
  readonly sleepers: number;
  /** Resolves as soon as at least `count` (1) are asleep: for work that does real I/O before it sleeps. */
  asleep(count?: number): Promise<void>;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** `start` in milliseconds since the epoch; noon of a day by default. */
export function manualClock(start = Date.UTC(2031, 0, 1, 12)): ManualClock {
  let time = start;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<() => void>();

  const earliest = (limit: number) =>
    [...sleepers].filter(({ due }) => due <= limit).toSorted((a, b) => a.due - b.due)[0];

  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (ms <= 0) return resolve();
        const sleeper: Sleeper = {
          due: time + ms,
          wake: () => {
            leave();
            resolve();
          },
        };
        const abort = () => {
          leave();
          reject(signal?.reason);
        };
        const leave = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
        for (const watcher of watchers) watcher();
      }),
    async advance(ms) {
      const end = time + ms;
      await drain();
      for (let next = earliest(end); next !== undefined; next = earliest(end)) {
        time = Math.max(time, next.due);
        next.wake();
        await drain();
      }
      time = end;
    },
    get sleepers() {
      return sleepers.size;
    },
    async asleep(count = 1) {
      while (sleepers.size < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        watchers.add(resolve);
        await promise;
        watchers.delete(resolve);
      }
    },
  };
}

/** After a turn of the event loop, all promises that need no I/O have continued. */
async function drain(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
