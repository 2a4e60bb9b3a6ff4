import type { Clock } from '../../lib/core/ports.ts';

/** The clock of the whole platform: the machine's clock until a caller freezes or moves it. */
export interface PlatformClock extends Clock {
  readonly frozen: boolean;
  /** Difference to the underlying clock in milliseconds. */
  readonly ahead: number;
  freeze(): void;
  /** Lets the clock run again from its current time. */
  resume(): void;
  /**
   * Moves the clock forward by `ms`, frozen or not, and wakes sleepers in the order of their due time. What each of
   * them does next (including another sleep) happens before the time moves further. Resolves when everything due has
   * happened.
   */
  advance(ms: number): Promise<void>;
  /** Returns to the underlying clock and wakes all sleepers. */
  reset(): void;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
  fail(reason: unknown): void;
  /** Ends the sleep on the underlying clock. */
  disarm: AbortController | undefined;
}

/** Maximum delay of a Node timer in milliseconds; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

export function createPlatformClock(inner: Clock): PlatformClock {
  let offset = 0;
  let pausedAt: number | undefined;
  let frozen = false;
  let moves: Promise<void> | undefined;
  let moving = 0;
  const sleepers = new Set<Sleeper>();
  const yields = createYieldTracker();

  const now = () => pausedAt ?? inner.now() + offset;

  const arm = (sleeper: Sleeper) => {
    if (pausedAt !== undefined) return;
    const disarm = new AbortController();
    sleeper.disarm = disarm;
    const left = Math.max(0, sleeper.due - now());
    const woken = () => (left > maxTimerMs ? arm(sleeper) : sleeper.wake());
    inner.sleep(Math.min(left, maxTimerMs), disarm.signal).then(woken, (error: unknown) => {
      if (!disarm.signal.aborted) sleeper.fail(error);
    });
  };
  const pause = () => {
    if (pausedAt !== undefined) return;
    pausedAt = now();
    for (const sleeper of sleepers) sleeper.disarm?.abort();
  };
  const unpause = () => {
    if (pausedAt === undefined || frozen || moving > 0) return;
    offset = pausedAt - inner.now();
    pausedAt = undefined;
    for (const sleeper of sleepers) arm(sleeper);
  };
  const earliest = (limit: number) => {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers)
      if (sleeper.due <= limit && (first === undefined || sleeper.due < first.due)) first = sleeper;
    return first;
  };
  const move = async (ms: number) => {
    pause();
    const end = now() + ms;
    await yields.over();
    for (let next = earliest(end); next !== undefined; next = earliest(end)) {
      pausedAt = Math.max(now(), next.due);
      next.wake();
      await yields.over();
    }
    pausedAt = Math.max(now(), end);
  };

  return {
    now,
    get frozen() {
      return frozen;
    },
    get ahead() {
      return now() - inner.now();
    },
    // A sleep of 0 only yields to other tasks and does not depend on the time.
    sleep: (ms, signal) =>
      ms <= 0
        ? yields.take(inner.sleep(0, signal))
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
      pause();
    },
    resume() {
      frozen = false;
      unpause();
    },
    async advance(ms) {
      moving += 1;
      pause();
      // Sequentially: two concurrent moves would wake sleepers out of order.
      moves = (moves ?? Promise.resolve()).then(() => move(ms));
      try {
        await moves;
      } finally {
        moving -= 1;
        unpause();
      }
    },
    reset() {
      frozen = false;
      for (const sleeper of sleepers) {
        sleeper.disarm?.abort();
        sleeper.wake();
      }
      offset = 0;
      pausedAt = undefined;
    },
  };
}

/** Counts tasks that only yield, so that a move of the clock can wait until all tasks are idle. */
function createYieldTracker() {
  let open = 0;
  const waiting = new Set<() => void>();
  return {
    async take(yielded: Promise<void>): Promise<void> {
      open += 1;
      try {
        await yielded;
      } finally {
        open -= 1;
        if (open === 0) for (const go of waiting) go();
      }
    },
    /** Resolves when no task can continue without time or I/O. */
    async over(): Promise<void> {
      for (;;) {
        if (open > 0) {
          const { promise, resolve } = Promise.withResolvers<void>();
          waiting.add(resolve);
          await promise;
          waiting.delete(resolve);
        }
        await new Promise<void>((resolve) => void setImmediate(resolve));
        if (open === 0) return;
      }
    },
  };
}
