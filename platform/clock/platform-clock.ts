import type { Clock } from '../../lib/core/ports/ports.ts';

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
  const timeline = createTimeline(inner);
  const sleepers = createSleepers(inner, timeline);
  const yields = createYieldTracker();
  let frozen = false;
  let moves: Promise<void> | undefined;
  let moving = 0;

  const pause = () => {
    if (timeline.isPaused()) return;
    timeline.pause();
    sleepers.disarmAll();
  };
  const unpause = () => {
    if (!timeline.isPaused() || frozen || moving > 0) return;
    timeline.unpause();
    sleepers.armAll();
  };
  const move = async (ms: number) => {
    pause();
    const end = timeline.now() + ms;
    await yields.over();
    for (let next = sleepers.earliest(end); next !== undefined; next = sleepers.earliest(end)) {
      timeline.moveTo(next.due);
      next.wake();
      await yields.over();
    }
    timeline.moveTo(end);
  };

  return {
    now: timeline.now,
    get frozen() {
      return frozen;
    },
    get ahead() {
      return timeline.now() - inner.now();
    },
    // A sleep of 0 only yields to other tasks and does not depend on the time.
    sleep: (ms, signal) => (ms <= 0 ? yields.take(inner.sleep(0, signal)) : sleepers.sleep(ms, signal)),
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
      sleepers.wakeAll();
      timeline.reset();
    },
  };
}

type Timeline = ReturnType<typeof createTimeline>;

/** The time: the underlying clock's plus an offset, or a fixed one while it is paused. */
function createTimeline(inner: Clock) {
  let offset = 0;
  let pausedAt: number | undefined;
  const now = (): number => pausedAt ?? inner.now() + offset;
  return {
    now,
    isPaused: (): boolean => pausedAt !== undefined,
    pause(): void {
      pausedAt = now();
    },
    unpause(): void {
      offset = now() - inner.now();
      pausedAt = undefined;
    },
    /** Moves a paused time, never backwards. */
    moveTo(time: number): void {
      pausedAt = Math.max(now(), time);
    },
    reset(): void {
      offset = 0;
      pausedAt = undefined;
    },
  };
}

/** The tasks that sleep, each until its time is due. While the time is paused, no sleep ends by itself. */
function createSleepers(inner: Clock, timeline: Timeline) {
  const sleepers = new Set<Sleeper>();

  const arm = (sleeper: Sleeper): void => {
    if (timeline.isPaused()) return;
    const disarm = new AbortController();
    sleeper.disarm = disarm;
    const left = Math.max(0, sleeper.due - timeline.now());
    const woken = () => (left > maxTimerMs ? arm(sleeper) : sleeper.wake());
    inner.sleep(Math.min(left, maxTimerMs), disarm.signal).then(woken, (error: unknown) => {
      if (!disarm.signal.aborted) sleeper.fail(error);
    });
  };

  return {
    sleep: (ms: number, signal: AbortSignal | undefined) =>
      new Promise<void>((resolve, reject) => {
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
          due: timeline.now() + ms,
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
    armAll(): void {
      for (const sleeper of sleepers) arm(sleeper);
    },
    disarmAll(): void {
      for (const sleeper of sleepers) sleeper.disarm?.abort();
    },
    wakeAll(): void {
      for (const sleeper of sleepers) {
        sleeper.disarm?.abort();
        sleeper.wake();
      }
    },
    /** The sleeper that is due first, if it is due by `limit`. */
    earliest(limit: number): Sleeper | undefined {
      let first: Sleeper | undefined;
      for (const sleeper of sleepers)
        if (sleeper.due <= limit && (first === undefined || sleeper.due < first.due)) first = sleeper;
      return first;
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
