import { AsyncLocalStorage } from 'node:async_hooks';
import type { AttemptEnd, Middleware } from '../../client/index.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { TokenBucket, RequestKind } from './token-bucket.ts';
import { RateLimited } from './rate-limited.ts';

/** A shorter wait happens inside the call; a longer one returns the advance to the queue. */
const shortWaitMs = 250;

/** Pause if the platform refuses without a `Retry-After`. */
const defaultPauseMs = 5_000;

/** A rate limiter. Its tokens can be acquired before the call that uses them. */
export interface RateLimiter {
  readonly middleware: Middleware;
  /**
   * Acquires the token of an effect before its intent is written, so that nothing comes between the fence and
   * the call. Throws RateLimited.
   */
  acquire(): Promise<void>;
  /**
   * Reads during the work use only what promotions leave. A read that would have to wait is not sent:
   * RateLimited.
   */
  inBackground<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Reads during the work wait in the line under this name: of several readers of one address, each has its own place,
   * instead of one place for the first of them.
   */
  readingFor<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Effects during the work acquire their tokens when they are sent. For work that does not call `acquire`: an unused token
   * of a promotion may have expired, and the effect would not be sent.
   */
  withOwnTokens<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Limits the requests of a client to the rate of its credential. A request that would wait longer than a moment is
 * not sent: it ends with RateLimited. So does a request whose token is old (the process was suspended, or Redis was
 * slow), because together with later requests it could exceed the limit. A 429, or a 503 to a read, slows down all
 * workers and also ends with RateLimited.
 */
export function createRateLimiter(
  bucket: TokenBucket,
  { clock, onThrottled }: { readonly clock: Clock; readonly onThrottled: () => void },
): RateLimiter {
  /** When the tokens in advance were requested, oldest first. */
  let acquiredAt: readonly number[] = [];
  const work = new AsyncLocalStorage<'background' | 'own-tokens' | { readonly reader: string }>();
  const isFresh = (askedAt: number): boolean => clock.now() - askedAt <= bucket.tokenTtlMs;

  /** Returns the time at which the token was requested. */
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
      // Drop expired tokens of effects that were not sent: no other effect can use them.
      acquiredAt = [...acquiredAt.filter(isFresh), askedAt];
    },
    inBackground: (run) => work.run('background', run),
    readingFor: (reader, run) => work.run({ reader }, run),
    withOwnTokens: (run) => work.run('own-tokens', run),
    async middleware(request, next, { signal }) {
      const isRead = request.method === 'GET';
      const current = work.getStore();
      const readKind = current === 'background' ? 'background' : 'read';
      const ahead = isRead || current === 'own-tokens' ? undefined : acquiredAt.at(-1);
      if (ahead !== undefined) acquiredAt = acquiredAt.slice(0, -1);
      const what = typeof current === 'object' ? `${current.reader} ${request.url}` : request.url;
      const askedAt = ahead ?? (await acquireToken(isRead ? readKind : 'effect', what, signal));
      if (!isFresh(askedAt)) throw new RateLimited(bucket.tokenTtlMs);
      const end = await next(request);
      const pause = pauseAskedFor(end, clock.now());
      if (pause === undefined) return end;
      onThrottled();
      await bucket.slow(pause);
      // A 503 does not show whether an effect happened: the client must decide.
      if (isRead || isTooMany(end)) throw new RateLimited(pause);
      return end;
    },
  };
}

const isTooMany = (end: AttemptEnd): boolean => end.kind === 'answered' && end.answer.status === 429;

/** Milliseconds that a refusal asks us to wait; undefined for other answers. */
function pauseAskedFor(end: AttemptEnd, now: number): number | undefined {
  if (end.kind !== 'answered' || (end.answer.status !== 429 && end.answer.status !== 503)) return undefined;
  const retryAfter = end.answer.headers['retry-after'];
  if (retryAfter === undefined) return defaultPauseMs;
  if (/^\s*\d+(\.\d+)?\s*$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? defaultPauseMs : Math.max(0, at - now);
}
