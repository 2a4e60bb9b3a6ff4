import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { addWrites, endPause, pauseWrites, shrinkRequests, spendWrite, takeCompanions } from './scripts.ts';

/**
 * The kinds of writes to GitHub, the most urgent first: a refused push; the end of a promotion; its progress; the answer
 * to a comment; the end of a promotion that a newer one superseded.
 */
export const urgencies = ['refusal', 'end', 'progress', 'answer', 'superseded'] as const;
export type Urgency = (typeof urgencies)[number];

/** A write that must wait for the budget. The most urgent is next; of the same urgency, the newest. */
export interface Waiter {
  readonly id: string;
  /** When what it writes became true, in milliseconds since the epoch. */
  readonly since: number;
}

export interface TakeOptions {
  /** Whether the request may have several writes, and its sender takes others along (`companions`). */
  readonly isShared?: boolean;
  /** Set in the same step as the request is taken. */
  readonly mark?: WriteMark | undefined;
}

/** A mark in Redis that a write was begun. It is removed once the answer is known. */
export interface WriteMark {
  /** A hash with the prefix of the budget. */
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
  /** From now on. */
  readonly keepSeconds: number;
}

/** GitHub's limits on writes of one installation or token. */
export interface WriteLimits {
  readonly perMinute: number;
  readonly perHour: number;
  /** Milliseconds between two writes. */
  readonly gapMs: number;
}

/**
 * The limits of GitHub's REST API that apply to all clients (its documentation, "Rate limits" and "Best
 * practices").
 */
export const githubLimits: WriteLimits = { perMinute: 80, perHour: 500, gapMs: 1_000 };

/**
 * The maximum number of writes in one request. GitHub carries them out one after another, and ends a request after
 * ten seconds.
 */
export const maxWritesPerRequest = 20;

/** How long writes for one request are collected at most, while much of the hour's budget is spent. */
const collectMs = 25_000;
/** How long progress with a request of its own waits at most, while much of the hour's budget is spent. */
const holdMs = 30_000;

/**
 * The write budget, shared by all workers on one Redis. It counts exactly the writes of the last minute and hour: a
 * bucket that refills would allow twice its size in the first minute.
 */
export interface WriteBudget {
  /** 0: send a request that writes now. Otherwise the milliseconds until the next try; nothing was taken. */
  take(account: string, urgency: Urgency, waiter?: Waiter, options?: TakeOptions): Promise<number>;
  /** The ids of waiters whose writes go with the request that was just taken, the most urgent first. */
  companions(account: string, count: number): Promise<readonly string[]>;
  /** How many more writes than one the request may have: each counts in the limit of a minute. */
  addWrites(account: string, count: number): Promise<number>;
  /** A request with several writes was refused because of a limit, or its answer was lost: the next ones have fewer. */
  shrink(account: string, writes: number): Promise<void>;
  /**
   * GitHub asks for a pause, which applies to all workers and doubles each time until a write succeeds. Returns
   * its milliseconds.
   */
  pause(account: string, ms: number): Promise<number>;
  /** A write succeeded. */
  recovered(account: string): Promise<void>;
}

/** Share of the budget, so that there is always room for what is more urgent. */
const shares = { refusal: 1, end: 1, progress: 0.7, answer: 0.5, superseded: 0.5 } as const satisfies Record<
  Urgency,
  number
>;

/** How far ahead a time slot is reserved: something newer may come in between. */
const aheadMs = {
  refusal: 10_000,
  end: 1_500,
  progress: 1_500,
  answer: 1_500,
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
  const keysOf = (account: string) => {
    const key = (name: string): string => `${prefix}:github:${account}:${name}`;
    return {
      pause: [key('writes'), key('pause')],
      single: [key('ranks'), key('waiting')],
      shared: [key('shared-ranks'), key('shared-waiting')],
      minute: key('minute'),
      requests: key('shared'),
    };
  };

  /** The accounts whose last write was taken while no pause was to be ended. */
  const unpaused = new Set<string>();

  return {
    async take(account, urgency, waiter, { isShared = false, mark } = {}) {
      const share = shares[urgency];
      const keys = keysOf(account);
      const all = [
        ...keys.pause,
        ...keys[isShared ? 'shared' : 'single'],
        keys.minute,
        keys.requests,
        ...(mark === undefined ? [] : [mark.key]),
      ];
      const { status, ms, used, isPaused } = await spendWrite(redis, all, {
        now: now(),
        hour: limits.perHour,
        shared: isShared,
        most: maxWritesPerRequest,
        collectMs,
        progressSince: urgency === 'progress' ? waiter?.since : undefined,
        holdMs,
        perMinute: Math.max(1, Math.floor(limits.perMinute * share)),
        perHour: Math.max(1, Math.floor(limits.perHour * share)),
        gapMs: limits.gapMs,
        aheadMs: aheadMs[urgency],
        id: randomUUID(),
        waiter: waiter?.id,
        mark: mark && { fields: mark.fields, keepSeconds: mark.keepSeconds },
        rank: waiter && urgencies.indexOf(urgency) * urgencyStep - waiter.since,
      });
      onLeft?.(account, Math.max(0, limits.perHour - used));
      if (status === 'wait') return Math.max(1, ms);
      if (isPaused) unpaused.delete(account);
      else unpaused.add(account);
      if (ms > 0) await clock.sleep(ms);
      return 0;
    },
    async companions(account, count) {
      const { shared, requests } = keysOf(account);
      return takeCompanions(redis, [...shared, requests], { now: now(), count });
    },
    async addWrites(account, count) {
      const { minute, requests } = keysOf(account);
      return addWrites(redis, [minute, requests], {
        now: now(),
        perMinute: limits.perMinute,
        id: randomUUID(),
        count,
        most: maxWritesPerRequest,
      });
    },
    async shrink(account, writes) {
      await shrinkRequests(redis, [keysOf(account).requests], { writes });
    },
    async pause(account, ms) {
      unpaused.delete(account);
      return pauseWrites(redis, keysOf(account).pause, { now: now(), ms });
    },
    async recovered(account) {
      if (!unpaused.has(account)) await endPause(redis, keysOf(account).pause, { now: now() });
    },
  };
}
