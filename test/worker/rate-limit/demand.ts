import type { TokenBucket } from '../../../worker/rate-limit/token-bucket.ts';

/** A sender that wants to send a request at `at`, in milliseconds. */
export interface Demand {
  readonly at: number;
  readonly kind: 'effect' | 'read';
  readonly what: string;
}

interface Rules {
  /** Milliseconds from the token to the platform. */
  readonly transitMs: (sentAt: number) => number;
  /** How much later than answered a caller asks again. */
  readonly lateMs: () => number;
  /** What is wanted after a request was sent; nothing by default. */
  readonly next?: (demand: Demand, sentAt: number) => Demand | undefined;
  /** Nothing is sent from here on. */
  readonly until?: number;
}

/**
 * Has demands met one after the other, each by one of several workers in turn, in a time that jumps to whatever comes
 * next. `setTime` moves the clock that the paces have. Gives the times of arrival, in order.
 */
export async function meetDemands(
  demands: readonly Demand[],
  buckets: readonly TokenBucket[],
  setTime: (at: number) => void,
  { transitMs, lateMs, next, until = Infinity }: Rules,
): Promise<readonly number[]> {
  const waiting = [...demands];
  const arrivals: number[] = [];
  for (let advance = 0; ; advance += 1) {
    const first = waiting.reduce((min, one, i) => (one.at < (waiting[min]?.at ?? 0) ? i : min), 0);
    const [demand] = waiting.splice(first, 1);
    const bucket = buckets[advance % buckets.length];
    if (demand === undefined || bucket === undefined || demand.at > until) break;
    setTime(demand.at);
    const wait = await bucket.take(demand.kind, demand.what);
    if (wait > 0) {
      waiting.push({ ...demand, at: demand.at + wait + lateMs() });
      continue;
    }
    arrivals.push(demand.at + transitMs(demand.at));
    const after = next?.(demand, demand.at);
    if (after !== undefined) waiting.push(after);
  }
  return arrivals.toSorted((a, b) => a - b);
}

/** The most of them that lie within any window of so many milliseconds, wherever it begins. */
export function maxWithin(windowMs: number, arrivals: readonly number[]): number {
  let from = 0;
  let max = 0;
  for (const [i, at] of arrivals.entries()) {
    while ((arrivals[from] ?? at) <= at - windowMs) from += 1;
    max = Math.max(max, i - from + 1);
  }
  return max;
}
