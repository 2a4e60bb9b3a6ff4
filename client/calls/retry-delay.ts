import type { Random } from '../../lib/core/ports/ports.ts';

const baseMs = 100;
const capMs = 20_000;

/**
 * The delay before a retry, in milliseconds, with full jitter: a random delay up to 100 ms, doubled with each
 * attempt, at most 20 s.
 */
export function backoffMs(attempt: number, random: Random): number {
  return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
}

/**
 * The wait that an answer asks for, by `retry-after-ms` or by `Retry-After` in seconds or as a date. In milliseconds;
 * `undefined` if there is none or it cannot be parsed. A date is read against the `Date` of the answer, because the
 * clocks may differ; against `now` without one.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const exact = nonNegative(headers['retry-after-ms']);
  if (exact !== undefined) return exact;
  const value = headers['retry-after'];
  const seconds = nonNegative(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  const answered = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(answered) ? now : answered));
}

function nonNegative(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
