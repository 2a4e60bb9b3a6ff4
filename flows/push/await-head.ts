/** How the commit that GitHub shows at a ref relates to the pushed one. */
export type HeadRelation = 'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated';

/** Since when a push waits until GitHub shows it, in milliseconds since the epoch, and how often it was read again. */
export interface HeadWait {
  readonly since: number;
  readonly reads: number;
}

const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

/**
 * Whether a ref's current commit includes a push: it is the pushed commit or a descendant. Otherwise GitHub may still
 * show the time before the push, because its replicas lag, or a later push has moved the ref elsewhere: only time tells
 * which.
 */
export function includesPush(head: HeadRelation): boolean {
  return head === 'identical' || head === 'ahead';
}

/**
 * Milliseconds until the ref is read again: a second, doubled each time up to a minute. Undefined when `limitMs` have
 * passed; the last read is at that time.
 */
export function headDelay({ since, reads }: HeadWait, now: number, limitMs: number): number | undefined {
  const left = since + limitMs - now;
  if (left <= 0) return undefined;
  return Math.min(firstDelayMs * 2 ** Math.min(reads, 10), maxDelayMs, left);
}
