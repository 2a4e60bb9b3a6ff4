import { messageOf } from '../../core/errors/message-of.ts';
import { responseOf, type ErrorResponse } from './error-response.ts';

/** GitHub documents: at least one minute after a secondary limit, and when no header says how long. */
const minSecondaryPauseMs = 60_000;
/** `Date` and the reset time are whole seconds. */
const minPrimaryPauseMs = 1_000;
/** Primary limits are per hour; a longer wait comes from wrong clocks. */
const maxPrimaryPauseMs = 3_600_000;

/**
 * Milliseconds to wait if the error is GitHub's refusal because of too many requests; `undefined` for every other
 * error. GitHub uses 403 or 429 for that, as for a missing permission. A refused request had no effect, so even a
 * write may be sent again.
 *
 * - `retry-after` (secondary limit): that many seconds, at least a minute.
 * - `x-ratelimit-remaining: 0` (primary limit): until `x-ratelimit-reset`, by GitHub's own `date`.
 * - both: the longer of the two.
 * - 429, or a message about a limit, without usable headers: a minute.
 *
 * @param now milliseconds since 1970, for a response without `date`
 */
export function readRateLimit(error: unknown, now: number): number | undefined {
  const response = responseOf(error);
  if (response === undefined || (response.status !== 403 && response.status !== 429)) return undefined;
  const retryAfterMs = readRetryAfter(response);
  const pauses = [
    ...(retryAfterMs === undefined ? [] : [Math.max(minSecondaryPauseMs, retryAfterMs)]),
    ...primaryPauses(response, now),
  ];
  if (pauses.length > 0) return Math.max(...pauses);
  const message = messageOf(error);
  return response.status === 429 || /rate limit|abuse/iu.test(message) ? minSecondaryPauseMs : undefined;
}

/** Milliseconds of `retry-after`; `undefined` if the header is missing or is not a number of seconds. */
export function readRetryAfter({ headers }: ErrorResponse): number | undefined {
  const seconds = numberIn(headers['retry-after']);
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Whether only writes must pause. True for a write that met a secondary limit; a primary limit stops reads too. */
export function limitsWritesOnly(error: unknown, method: string): boolean {
  const response = responseOf(error);
  return (
    method !== 'GET' && response !== undefined && numberIn(response.headers['x-ratelimit-remaining']) !== 0
  );
}

function primaryPauses({ headers }: ErrorResponse, now: number): number[] {
  if (numberIn(headers['x-ratelimit-remaining']) !== 0) return [];
  const reset = numberIn(headers['x-ratelimit-reset']);
  if (reset === undefined) return [minSecondaryPauseMs];
  // The reset time is GitHub's clock: compare it with GitHub's date, because the local clock may be wrong.
  const date = Date.parse(String(headers['date']));
  const pause = reset * 1_000 - (Number.isNaN(date) ? now : date);
  return [Math.min(Math.max(pause, minPrimaryPauseMs), maxPrimaryPauseMs)];
}

function numberIn(header: unknown): number | undefined {
  if (typeof header === 'number') return header;
  return typeof header === 'string' && /^\d+$/u.test(header.trim()) ? Number(header) : undefined;
}
