import { z } from 'zod';
import { statusOf } from './request-status.ts';

const answered = z.object({ response: z.object({ headers: z.record(z.string(), z.unknown()) }) });

function headersOf(error: unknown): Readonly<Record<string, unknown>> {
  return answered.safeParse(error).data?.response.headers ?? {};
}

function numberOf(header: unknown): number | undefined {
  const number = header === undefined ? NaN : Number(header);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** The wait in the answer, in milliseconds; `undefined` where there is none. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = numberOf(headersOf(error)['retry-after']);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** GitHub's documented wait after a secondary rate limit without a stated time: a minute. */
const fallbackMs = 60_000;

/**
 * The wait in milliseconds where an answer refuses a request because of the primary or secondary rate limit;
 * `undefined` for every other error. GitHub answers 403 both for this and for a missing permission. Such a request
 * had no effect, so even a write may be sent again.
 * @param now milliseconds since 1970, for an answer without a date
 */
export function rateLimitOf(error: unknown, now: number): number | undefined {
  const status = statusOf(error);
  if (status !== 403 && status !== 429) return undefined;
  const headers = headersOf(error);
  const after = retryAfterOf(error);
  if (after !== undefined) return after;
  const reset = numberOf(headers['x-ratelimit-reset']);
  if (numberOf(headers['x-ratelimit-remaining']) === 0 && reset !== undefined) {
    // Both times are GitHub's, because our clock may be wrong.
    const date = Date.parse(String(headers['date']));
    return Math.max(0, reset * 1000 - (Number.isNaN(date) ? now : date));
  }
  const words = error instanceof Error ? error.message : '';
  return status === 429 || /rate limit/iu.test(words) ? fallbackMs : undefined;
}
