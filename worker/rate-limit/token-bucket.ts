import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { slowDown, takeToken } from './scripts.ts';

/** `background`: after all reads and effects of promotions. */
export type RequestKind = 'effect' | 'read' | 'background';

/** What all workers together may send with one credential; the bucket lies in Redis. */
export interface TokenBucket {
  /**
   * A token is for a request that leaves within so many milliseconds; the other half of what the bucket allows for is
   * for its way to the platform.
   */
  readonly tokenTtlMs: number;
  /** Takes a token for a request, or says after how many milliseconds to ask again. */
  take(kind: RequestKind, what: string): Promise<number>;
  /** The platform refused: nothing for so many milliseconds, and less afterwards. */
  slow(ms: number): Promise<void>;
}

/** What the platform takes with one credential: so many requests in any window of so many milliseconds. */
export interface RequestLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** A longer pause than this is nobody's wish. */
const maxPauseMs = 300_000;

/** `time` stands in for the clock of Redis, in a test. */
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
