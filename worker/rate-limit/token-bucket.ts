import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { slowDown, takeToken } from './scripts.ts';

/** The priority of a request. `background` requests come after all reads and effects of promotions. */
export type RequestKind = 'effect' | 'read' | 'background';

/** The request budget of one credential. Redis stores it, and all workers share it. */
export interface TokenBucket {
  /**
   * Milliseconds within which a request must use its token. The other half of the bucket's margin is for the
   * transfer to the platform.
   */
  readonly tokenTtlMs: number;
  /** Takes a token for a request; otherwise returns the milliseconds until the next try. */
  take(kind: RequestKind, what: string): Promise<number>;
  /** The platform refused: sends nothing for this many milliseconds, and less afterwards. */
  slow(ms: number): Promise<void>;
}

/** The limit of the platform for one credential: requests in any window of `windowMs`. */
export interface RequestLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Longest pause that an answer of the platform can ask for. */
const maxPauseMs = 300_000;

/** `time` replaces the clock of Redis in tests. */
export function createTokenBucket(
  redis: Redis,
  prefix: string,
  credential: string,
  { requests, windowMs }: RequestLimit,
  time: () => number | undefined = () => undefined,
): TokenBucket {
  const bucket = `${prefix}:rate-limit:${credential}`;
  return {
    tokenTtlMs: windowMs / 60,
    async take(kind, what) {
      const digest =
        kind !== 'read' ? '' : createHash('sha256').update(what).digest('base64url').slice(0, 16);
      const keys = [bucket, `${bucket}:places`];
      return takeToken(redis, keys, { requests, windowMs, now: time(), kind, what: digest });
    },
    async slow(ms) {
      const pauseMs = Math.min(Math.max(ms, 0), maxPauseMs);
      await slowDown(redis, [bucket], { requests, windowMs, now: time(), pauseMs });
    },
  };
}
