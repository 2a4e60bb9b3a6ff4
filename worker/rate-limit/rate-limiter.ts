import { AsyncLocalStorage } from 'node:async_hooks';
import type { AttemptEnd, Middleware } from '../../client/index.ts';
import type { Clock } from '../../lib/core/ports.ts';
import type { TokenBucket, RequestKind } from './token-bucket.ts';
import { RateLimited } from './rate-limited.ts';

/** A wait as short as this is taken in the call; a longer one gives the turn back to the queue. */
const shortWaitMs = 250;

/** Where the platform refuses without saying for how long. */
const defaultPauseMs = 5_000;

/** A pace that can be asked for a token ahead of the call that uses it. */
export interface RateLimiter {
  readonly middleware: Middleware;
  /**
   * Takes the token of an effect before its intent is written, so that nothing lies between the fence and the call.
   * Throws RateLimited.
   */
  acquire(): Promise<void>;
  /** Reads within the work take only what promotions leave; what must wait at all is not sent: RateLimited. */
  inBackground<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Lets each attempt of a client through at the pace of its credential. What must wait longer than a moment is not
 * sent: RateLimited. Nor is what would go out on an old token (the process stood still, or Redis was slow to answer):
 * bunched with what came later it could be too much for a window. A 429, or a 503 to a read, slows the pace of all
 * workers and ends the call as RateLimited too.
 */
export function createRateLimiter(
  bucket: TokenBucket,
  { clock, onThrottled }: { readonly clock: Clock; readonly onThrottled: () => void },
): RateLimiter {
  /** When the tokens that were taken ahead were asked for, the oldest first. */
  let acquiredAt: readonly number[] = [];
  const background = new AsyncLocalStorage<true>();
  const isFresh = (askedAt: number): boolean => clock.now() - askedAt <= bucket.tokenTtlMs;

  /** Answers when the token was asked for. */
  async function acquireToken(
    kind: RequestKind,
    what: string,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    for (;;) {
      const askedAt = clock.now();
      const wait = await bucket.take(kind, what);
      if (wait <= 0) return askedAt;
      if (wait > shortWaitMs || kind === 'background') throw new RateLimited(wait);
      await clock.sleep(wait, signal);
    }
  }

  return {
    async acquire() {
      const askedAt = await acquireToken('effect', '', undefined);
      // What an effect that did not come about after all has left behind is of no use to another.
      acquiredAt = [...acquiredAt.filter(isFresh), askedAt];
    },
    inBackground: (work) => background.run(true, work),
    async middleware(request, next, { signal }) {
      const isRead = request.method === 'GET';
      const readKind = background.getStore() === true ? 'background' : 'read';
      const ahead = isRead ? undefined : acquiredAt.at(-1);
      if (ahead !== undefined) acquiredAt = acquiredAt.slice(0, -1);
      const askedAt = ahead ?? (await acquireToken(isRead ? readKind : 'effect', request.url, signal));
      if (!isFresh(askedAt)) throw new RateLimited(bucket.tokenTtlMs);
      const end = await next(request);
      const pause = pauseAskedFor(end, clock.now());
      if (pause === undefined) return end;
      onThrottled();
      await bucket.slow(pause);
      // A 503 proves nothing about an effect: the client must judge it.
      if (isRead || isTooMany(end)) throw new RateLimited(pause);
      return end;
    },
  };
}

const isTooMany = (end: AttemptEnd): boolean => end.kind === 'answered' && end.answer.status === 429;

/** Milliseconds that a refusal asks us to wait; undefined where it is none. */
function pauseAskedFor(end: AttemptEnd, now: number): number | undefined {
  if (end.kind !== 'answered' || (end.answer.status !== 429 && end.answer.status !== 503)) return undefined;
  const retryAfter = end.answer.headers['retry-after'];
  if (retryAfter === undefined) return defaultPauseMs;
  if (/^\s*\d+(\.\d+)?\s*$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? defaultPauseMs : Math.max(0, at - now);
}
