import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import { endPause, pauseWrites, spendWrite } from './scripts.ts';

/** Status updates about an end must get through; those about progress may wait. */
export type Urgency = 'end' | 'progress';

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
  take(account: string, urgency: Urgency): Promise<number>;
  /**
   * GitHub asks for a pause, which applies to all workers and doubles each time until a write succeeds. Returns
   * its milliseconds.
   */
  pause(account: string, ms: number): Promise<number>;
  /** A write succeeded. */
  recovered(account: string): Promise<void>;
}

/** Share of the budget for progress updates, so that there is always room for ends. */
const progressShare = 0.7;

/** How far ahead a time slot is reserved for a caller. */
const aheadMs = { end: 10_000, progress: 1_500 } as const satisfies Record<Urgency, number>;

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
  ];

  return {
    async take(account, urgency) {
      const share = urgency === 'end' ? 1 : progressShare;
      const { status, ms, used } = await spendWrite(redis, keysOf(account), {
        now: now(),
        perMinute: Math.max(1, Math.floor(limits.perMinute * share)),
        perHour: Math.max(1, Math.floor(limits.perHour * share)),
        gapMs: limits.gapMs,
        aheadMs: aheadMs[urgency],
        id: randomUUID(),
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
