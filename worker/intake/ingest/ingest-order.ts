import type { Redis } from 'ioredis';
import type { PushEvent } from '../../records/push-event.ts';
import { incomingId } from '../../store/jobs/incoming-job.ts';
import type { Keys } from '../../store/scripts/keys.ts';
import type { WorkQueues } from '../../store/jobs/work-queues.ts';
import { endsFrom, idsOf, movesIn } from './ref-moves.ts';
import { earlierPlace, leavePlace } from './scripts.ts';

type Push = Pick<PushEvent, 'repositoryId' | 'ref' | 'after' | 'digest'>;

/**
 * The order in which the pushes of a repository were received. Lanes that promote every version need it. A tag gets
 * its place when it is received, and keeps it until it is ingested or given up, because GitHub's answers and the
 * workers overtake each other.
 */
export interface IngestOrder {
  /** Whether all tags that were received before have been ingested. */
  isFirst(push: Push): Promise<boolean>;
  /** Gives up the place of a push, and wakes the next one. */
  leave(push: Push): Promise<void>;
  /**
   * When the push was received that moved the ref away from this one, or deleted the ref, in milliseconds since the epoch;
   * undefined if none is known. It may be earlier than this push: deliveries can change places, and a ref can go back.
   */
  departedAt(push: Push): Promise<number | undefined>;
  /** The same for a commit. Every annotated tag that was on the commit has an id of its own. */
  departedFrom(commit: string, push: Push): Promise<number | undefined>;
  /** Where known pushes may have moved the ref of a push from a commit; see `endsFrom`. */
  endsFrom(commit: string, push: Push): Promise<ReadonlySet<string>>;
}

export function createIngestOrder(
  redis: Redis,
  keys: Pick<Keys, 'places' | 'departures' | 'moves'>,
  queues: Pick<WorkQueues, 'ingestKey' | 'expediteIncoming'>,
): IngestOrder {
  const movesOf = async ({ repositoryId, ref }: Push) =>
    movesIn(await redis.zrangebyscore(keys.moves(repositoryId), '-inf', '+inf'), ref);

  return {
    async isFirst(push) {
      const order = { job: incomingId(push), jobKeys: queues.ingestKey('') };
      return (await earlierPlace(redis, [keys.places(push.repositoryId)], order)) === 'first';
    },
    async leave(push) {
      const next = await leavePlace(redis, [keys.places(push.repositoryId)], { job: incomingId(push) });
      if (next !== '') await queues.expediteIncoming(next);
    },
    async departedAt({ repositoryId, ref, after }) {
      const score = await redis.zscore(keys.departures(repositoryId), `${ref} ${after}`);
      return score === null ? undefined : Number(score);
    },
    async departedFrom(commit, push) {
      const { repositoryId, ref } = push;
      const ids = ref.startsWith('refs/tags/') ? idsOf(commit, await movesOf(push)) : [commit];
      const scores = await redis.zmscore(keys.departures(repositoryId), ...ids.map((id) => `${ref} ${id}`));
      const times = scores.flatMap((score) => (score === null ? [] : [Number(score)]));
      return times.length === 0 ? undefined : Math.max(...times);
    },
    endsFrom: async (commit, push) => endsFrom(commit, await movesOf(push)),
  };
}
