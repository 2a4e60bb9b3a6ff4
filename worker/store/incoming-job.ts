import type { CommentEvent } from '../records/comment-event.ts';
import type { PushEvent } from '../records/push-event.ts';

/**
 * The id of the job that takes an event in: the body's digest, not GitHub's id, which anybody can change, for the
 * signature covers the body only.
 */
export const incomingId = ({ digest }: Pick<PushEvent, 'digest'>): string => `b-${digest}`;

export const incomingName = (event: PushEvent | CommentEvent): 'push' | 'comment' =>
  'command' in event ? 'comment' : 'push';

/** How such a job is treated, whoever adds it. */
export const incomingOptions = {
  // For about three days, as long as GitHub would redeliver it: what was accepted is not given up sooner.
  attempts: 4_500,
  backoff: { type: 'custom' },
  removeOnComplete: { age: 86_400, count: 1_000 },
  removeOnFail: { count: 1_000 },
} as const;
