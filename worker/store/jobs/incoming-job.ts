import type { JobOptions } from '../../queue/job-queue.ts';
import type { IncomingEvent } from '../../records/incoming-event.ts';
import { isNoCommit, type PushEvent } from '../../records/push-event.ts';

/**
 * The id of the job that ingests an event: the digest of the body. GitHub's delivery id is not used, because the
 * signature does not cover it and anyone can change it.
 */
export const incomingId = ({ digest }: Pick<PushEvent, 'digest'>): string => `b-${digest}`;

/** A `question` is a comment that decides nothing. Older workers leave it to newer ones: they would take it for an approval. */
export function incomingName(event: IncomingEvent): 'push' | 'comment' | 'question' | 'check' {
  if ('ref' in event) return 'push';
  if (!('command' in event)) return 'check';
  const { act } = event.command;
  return act === 'approve' || act === 'reject' ? 'comment' : 'question';
}

/**
 * Whether a push has a place in the order of its repository's pushes. Tags have one, because each tag is a separate
 * version.
 */
export const takesPlace = (event: IncomingEvent): event is PushEvent =>
  'ref' in event && event.ref.startsWith('refs/tags/');

/**
 * The entry for the list of departures: the ref and the commit that the push moved it away from. Undefined if the
 * push created the ref.
 */
export const departureOf = ({ ref, before }: Pick<PushEvent, 'ref' | 'before'>): string | undefined =>
  isNoCommit(before) ? undefined : `${ref} ${before}`;

/** The options of such a job, which are the same for every caller. */
export const incomingOptions = {
  // For about three days, as long as GitHub would redeliver it: an accepted event is not given up sooner.
  attempts: 4_500,
  backoff: { type: 'custom' },
  removeOnComplete: { age: 86_400, count: 1_000 },
  removeOnFail: { count: 1_000 },
} as const satisfies JobOptions;
