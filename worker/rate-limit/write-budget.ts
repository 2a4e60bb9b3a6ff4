import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import { endPause, pauseWrites, spendWrite } from './scripts.ts';

/**
 * What a write is about, the most urgent first: a push that the worker refuses; the end of a promotion; its progress; the
 * end of a promotion that a newer one superseded.
 */
const urgencies = ['refusal', 'end', 'progress', 'superseded'] as const;
export type Urgency = (typeof urgencies)[number];

/** Who waits if a write must wait. The most urgent is next; of the same urgency, the newest. */
export interface Waiter {
  readonly id: string;
  /** When what it writes became true, in milliseconds since the epoch. */
  readonly since: number;
}

/** Write limits of one installation or token on GitHub. */
export interface WriteLimits {
  readonly perMinute: number;
  readonly perHour: number;
  /** Milliseconds between two writes. */
  readonly gapMs: number;
}

/** The limits of GitHub's REST API for all clients (its documentation, "Rate limits" and "Best practices"). */
export const githubLimits: WriteLimits = { perMinute: 80, perHour: 500, gapMs: 1_000 };

/**
 * The write budget, shared by all workers on one Redis. Counts exactly over the last minute and hour: a bucket
 * that refills would allow twice its size in its first minute.
 */
export interface WriteBudget {
  /** 0: write now. Otherwise the milliseconds until the next try; nothing was taken. */
  take(account: string, urgency: Urgency, waiter?: Waiter): Promise<number>;
  /**
   * GitHub asks for a pause, which applies to all workers and doubles each time until a write succeeds. Returns
   * its milliseconds.
   */
  pause(account: string, ms: number): Promise<number>;
  /** A write succeeded. */
  recovered(account: string): Promise<void>;
}

/** Share of the budget, so that there is always room for what is more urgent. */
const shares = { refusal: 1, end: 1, progress: 0.7, superseded: 0.5 } as const satisfies Record<
  Urgency,
  number
>;

/** How far ahead a time slot is reserved: something newer may come in between. */
const aheadMs = {
  refusal: 10_000,
  end: 1_500,
  progress: 1_500,
  superseded: 0,
} as const satisfies Record<Urgency, number>;

/** Above every time, so that urgency counts first. */
const urgencyStep = 1e13;

export function createWriteBudget(
  redis: Redis,
  {
    prefix,
    clock,
    limits = githubLimits,
    now = () => undefined,
    onLeft,
  }: {
    readonly prefix: string;
    readonly clock: Clock;
    readonly limits?: WriteLimits;
    /** Time for the scripts; undefined uses the time of Redis, because the clocks of workers differ. */
    readonly now?: () => number | undefined;
    /** Called with the writes left in an account's hour, for a gauge. */
    readonly onLeft?: (account: string, writes: number) => void;
  },
): WriteBudget {
  const keysOf = (account: string): readonly string[] => [
    `${prefix}:github:${account}:writes`,
    `${prefix}:github:${account}:pause`,
    `${prefix}:github:${account}:ranks`,
    `${prefix}:github:${account}:waiting`,
  ];

  return {
    async take(account, urgency, waiter) {
      const share = shares[urgency];
      const { status, ms, used } = await spendWrite(redis, keysOf(account), {
        now: now(),
        perMinute: Math.max(1, Math.floor(limits.perMinute * share)),
        perHour: Math.max(1, Math.floor(limits.perHour * share)),
        gapMs: limits.gapMs,
        aheadMs: aheadMs[urgency],
        id: randomUUID(),
        waiter: waiter?.id,
        rank: waiter && urgencies.indexOf(urgency) * urgencyStep - waiter.since,
      });
      onLeft?.(account, Math.max(0, limits.perHour - used));
      if (status === 'wait') return Math.max(1, ms);
      if (ms > 0) await clock.sleep(ms);
      return 0;
    },
    async pause(account, ms) {
      return pauseWrites(redis, keysOf(account), { now: now(), ms });
    },
    async recovered(account) {
      await endPause(redis, keysOf(account), { now: now() });
    },
  };
}
