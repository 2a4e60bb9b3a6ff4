import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { RequestLimit, TokenBucket } from './token-bucket.ts';
import { loadScript, type Script } from '../../lib/redis/scripts/lua-script.ts';

interface AheadArguments {
  readonly requests: number;
  readonly windowMs: number;
  /** Milliseconds since the epoch; default the time of Redis. */
  readonly now: number | undefined;
  readonly wanted: number;
}

const takeTokens: Script<AheadArguments, number> = loadScript(
  import.meta.dirname,
  'take-ahead.lua',
  ([taken]) => Number(taken),
);

/** As many requests as were sent in this time are expected in the next, in milliseconds. */
const spanMs = 100;
/** The share of the life of a token that it may spend in the reserve. */
const reserveShare = 1 / 4;
const maxAhead = 64;
/** The least number of tokens to take: a promotion sends four requests in a row. */
const minAhead = 4;
/** How soon to ask again if there were none, in milliseconds. */
const scarceMs = 500;

/**
 * A bucket that takes many tokens with one command, in advance, while it is full enough. With many executions, one
 * command for each poll would be a third of the cost of a poll. Tokens that are not used soon are lost.
 */
export function takeAhead(
  bucket: TokenBucket,
  { redis, key, limit, clock }: { redis: Redis; key: string; limit: RequestLimit; clock: Pick<Clock, 'now'> },
): TokenBucket {
  const reserveMs = bucket.tokenTtlMs * reserveShare;
  let reserve = { tokens: 0, takenAt: 0 };
  let span = { from: 0, requests: 0, before: 0 };
  let refill: Promise<boolean> | undefined;
  /** Until then no tokens are taken ahead: a question for each read would cost one more command. */
  let scarceUntil = 0;

  /** Counts a request; returns how many more are expected soon: as many as there were lately. */
  function count(): number {
    const now = clock.now();
    const passed = now - span.from;
    if (passed < 0 || passed >= 2 * spanMs) span = { from: now, requests: 0, before: 0 };
    else if (passed >= spanMs) span = { from: now, requests: 0, before: span.requests };
    span.requests += 1;
    return Math.max(span.before, span.requests);
  }

  function isFresh(): boolean {
    const age = clock.now() - reserve.takenAt;
    return age >= 0 && age <= reserveMs;
  }

  function takeFromReserve(): boolean {
    if (reserve.tokens === 0 || !isFresh()) return false;
    reserve.tokens -= 1;
    return true;
  }

  /** Whether Redis gave any tokens, and in time: it may be slow. */
  async function fill(tokenCount: number): Promise<boolean> {
    const takenAt = clock.now();
    const tokens = await takeTokens(redis, [key], { ...limit, now: undefined, wanted: tokenCount });
    reserve = { tokens, takenAt };
    if (tokens === 0) scarceUntil = takenAt + scarceMs;
    return tokens > 0 && isFresh();
  }

  return {
    // The rest of the time is spent in the reserve.
    tokenTtlMs: bucket.tokenTtlMs - reserveMs,
    async take(kind, what) {
      if (kind === 'background') return bucket.take(kind, what);
      const expected = count();
      const untilMs = scarceUntil - clock.now();
      let mayHave = expected > 1 && (untilMs <= 0 || untilMs > scarceMs);
      while (mayHave) {
        if (takeFromReserve()) return 0;
        refill ??= fill(Math.min(Math.max(expected, minAhead), maxAhead)).finally(() => (refill = undefined));
        mayHave = await refill;
      }
      return bucket.take(kind, what);
    },
    async slow(ms) {
      reserve = { tokens: 0, takenAt: 0 };
      await bucket.slow(ms);
    },
  };
}
