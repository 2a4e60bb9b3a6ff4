import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import { endPause, pauseWrites, spendWrite } from './scripts.ts';

/** An end must get through; what is only on its way may wait. */
export type Urgency = 'end' | 'progress';

/** What one installation or token may write to GitHub. */
export interface WriteLimits {
  readonly perMinute: number;
  readonly perHour: number;
  /** Milliseconds between two writes. */
  readonly gapMs: number;
}

/** What GitHub asks of everybody who writes through its API (notes of its REST API, "Rate limits", "Best practices"). */
export const githubLimits: WriteLimits = { perMinute: 80, perHour: 500, gapMs: 1_000 };

/**
 * The allowance of writes, shared by all workers on one Redis. Counted exactly over the last minute and hour: a
 * bucket that fills up would let twice its size through in its first minute.
 */
export interface WriteBudget {
  /** 0: write now. Else the milliseconds after which to ask again; nothing was taken. */
  take(account: string, urgency: Urgency): Promise<number>;
  /** GitHub wants a pause: everybody's, doubled each time until a write goes through. Gives its milliseconds. */
  pause(account: string, ms: number): Promise<number>;
  /** A write went through. */
  recovered(account: string): Promise<void>;
}

/** Of the allowance only so much is for what is on its way, so that there is always room for ends. */
const progressShare = 0.7;

/** So far ahead a moment to write is kept for one who asks. */
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
    /** Time for the scripts; Redis's own where it is undefined, because workers' clocks differ. */
    readonly now?: () => number | undefined;
    /** Told what is left of an account's hour, for a gauge. */
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
