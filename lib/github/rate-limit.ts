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

/** Milliseconds that the answer asks to wait; `undefined` where it does not say. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = numberOf(headersOf(error)['retry-after']);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Where GitHub refuses because of too many requests at a time and does not say how long, it wants a minute. */
const fallbackMs = 60_000;

/**
 * Milliseconds to wait where an answer refuses a request because there were too many, in the hour or at a time;
 * `undefined` for every other error. GitHub says 403 for that as for a missing permission. Such a request had no
 * effect, so even one that writes may be sent again.
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
    // GitHub's clock against GitHub's: ours may be wrong.
    const date = Date.parse(String(headers['date']));
    return Math.max(0, reset * 1000 - (Number.isNaN(date) ? now : date));
  }
  const words = error instanceof Error ? error.message : '';
  return status === 429 || /rate limit/iu.test(words) ? fallbackMs : undefined;
}
