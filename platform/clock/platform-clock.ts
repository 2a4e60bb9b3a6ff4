import type { Clock } from '../../lib/core/ports.ts';
import { createTurns } from './turns.ts';

/** The one clock that everything in the platform goes by: that of the machine, until somebody stops or moves it. */
export interface PlatformClock extends Clock {
  readonly frozen: boolean;
  /** How far it is from the clock underneath, in milliseconds. */
  readonly ahead: number;
  freeze(): void;
  /** Lets it run on from where it stands. */
  resume(): void;
  /**
   * Moves on by `ms`, frozen or not, and wakes whoever sleeps in the order of their time; what each does next (falling
   * asleep again included) happens before time moves further. Resolves when all of it has happened.
   */
  advance(ms: number): Promise<void>;
  /** Back to the clock underneath; whoever sleeps is woken. */
  reset(): void;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
  fail(reason: unknown): void;
  /** Ends the sleep on the clock underneath. */
  disarm: AbortController | undefined;
}

/** A longer timer would go off at once. */
const longestSleep = 2 ** 31 - 1;

export function createPlatformClock(inner: Clock): PlatformClock {
  let offset = 0;
  let stoodAt: number | undefined;
  let frozen = false;
  let moves: Promise<void> | undefined;
  let moving = 0;
  const sleepers = new Set<Sleeper>();
  const turns = createTurns();

  const now = () => stoodAt ?? inner.now() + offset;

  const arm = (sleeper: Sleeper) => {
    if (stoodAt !== undefined) return;
    const disarm = new AbortController();
    sleeper.disarm = disarm;
    const left = Math.max(0, sleeper.due - now());
    const woken = () => (left > longestSleep ? arm(sleeper) : sleeper.wake());
    inner.sleep(Math.min(left, longestSleep), disarm.signal).then(woken, (error: unknown) => {
      if (!disarm.signal.aborted) sleeper.fail(error);
    });
  };
  const stand = () => {
    if (stoodAt !== undefined) return;
    stoodAt = now();
    for (const sleeper of sleepers) sleeper.disarm?.abort();
  };
  const go = () => {
    if (stoodAt === undefined || frozen || moving > 0) return;
    offset = stoodAt - inner.now();
    stoodAt = undefined;
    for (const sleeper of sleepers) arm(sleeper);
  };
  const earliest = (limit: number) => {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers)
      if (sleeper.due <= limit && (first === undefined || sleeper.due < first.due)) first = sleeper;
    return first;
  };
  const move = async (ms: number) => {
    stand();
    const end = now() + ms;
    await turns.over();
    for (let next = earliest(end); next !== undefined; next = earliest(end)) {
      stoodAt = Math.max(now(), next.due);
      next.wake();
      await turns.over();
    }
    stoodAt = Math.max(now(), end);
  };

  return {
    now,
    get frozen() {
      return frozen;
    },
    get ahead() {
      return now() - inner.now();
    },
    // Who only lets others have their turn waits for no time.
    sleep: (ms, signal) =>
      ms <= 0
        ? turns.take(inner.sleep(0, signal))
        : new Promise((resolve, reject) => {
            signal?.throwIfAborted();
            const leave = () => {
              sleepers.delete(sleeper);
              signal?.removeEventListener('abort', abort);
            };
            const abort = () => {
              leave();
              sleeper.disarm?.abort();
              reject(signal?.reason);
            };
            const sleeper: Sleeper = {
              due: now() + ms,
              disarm: undefined,
              wake: () => {
                leave();
                resolve();
              },
              fail: (reason) => {
                leave();
                reject(reason);
              },
            };
            sleepers.add(sleeper);
            signal?.addEventListener('abort', abort, { once: true });
            arm(sleeper);
          }),
    freeze() {
      frozen = true;
      stand();
    },
    resume() {
      frozen = false;
      go();
    },
    async advance(ms) {
      moving += 1;
      stand();
      // One after the other: two at once would wake sleepers in no order.
      moves = (moves ?? Promise.resolve()).then(() => move(ms));
      try {
        await moves;
      } finally {
        moving -= 1;
        go();
      }
    },
    reset() {
      frozen = false;
      for (const sleeper of sleepers) {
        sleeper.disarm?.abort();
        sleeper.wake();
      }
      offset = 0;
      stoodAt = undefined;
    },
  };
}
