import type { Redis } from 'ioredis';
import type { Keys } from '../lanes/keys.ts';
import type { WorkQueues } from '../queue/work-queues.ts';
import type { CommentEvent } from './comment-event.ts';
import type { PushEvent } from './push-event.ts';

/** Where accepted pushes go. */
export interface Inbox {
  /** Whether this delivery, or this very body under another id, was accepted before. */
  knows(event: Pick<PushEvent, 'delivery' | 'digest'>): Promise<boolean>;
  /** Keeps a push or a comment's command durably. Resolves only once Redis has said so. */
  accept(event: PushEvent | CommentEvent): Promise<void>;
  /** Notes that a delivery was answered, though nothing follows from it: the sweep must not miss it. */
  note(event: Pick<PushEvent, 'delivery'>): Promise<void>;
}

/** How long a delivery is remembered: GitHub redelivers for three days, own servers longer. */
const rememberSeconds = 30 * 86_400;

export function createInbox(
  redis: Redis,
  keys: Keys,
  queues: Pick<WorkQueues, 'addPush' | 'addComment'>,
): Inbox {
  return {
    async knows({ delivery, digest }) {
      return (await redis.exists(keys.delivery(delivery), keys.body(digest))) > 0;
    },
    async note({ delivery }) {
      // The worst that can come of its loss is one delivery more.
      await redis.set(keys.delivery(delivery), '', 'EX', rememberSeconds, 'NX').catch(() => null);
    },
    async accept(event) {
      if ('command' in event) await queues.addComment(event);
      else await queues.addPush(event);
      // Only now: a key burned before the push is safe would turn the sender's second try away as a duplicate.
      const { delivery, digest } = event;
      await redis
        .multi()
        .set(keys.delivery(delivery), digest, 'EX', rememberSeconds)
        .set(keys.body(digest), delivery, 'EX', rememberSeconds)
        .exec()
        // The push itself is safe, and the same body gets the same job.
        .catch(() => null);
    },
  };
}
