/** How the commit that GitHub shows at a ref relates to the pushed commit. */
export type HeadRelation = 'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated';

/**
 * How long a push has waited until GitHub shows it: since when, in milliseconds since the epoch, and the number of
 * further reads.
 */
export interface HeadWait {
  readonly since: number;
  readonly reads: number;
}

const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

/**
 * Whether the current commit of a ref includes a push: it is the pushed commit or a descendant. If not, GitHub may
 * still show the state before the push, because its replicas lag, or a later push has moved the ref; only waiting
 * can decide it.
 */
export function includesPush(head: HeadRelation): boolean {
  return head === 'identical' || head === 'ahead';
}

/**
 * Milliseconds until the ref is read again: one second, doubled each time up to a minute. Undefined after
 * `limitMs`; the last read is at that time.
 */
export function headDelay({ since, reads }: HeadWait, now: number, limitMs: number): number | undefined {
  const left = since + limitMs - now;
  if (left <= 0) return undefined;
  return Math.min(firstDelayMs * 2 ** Math.min(reads, 10), maxDelayMs, left);
}
