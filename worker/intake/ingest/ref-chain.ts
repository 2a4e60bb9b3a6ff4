import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { Keys } from '../../store/scripts/keys.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { type Link, linkPush } from './scripts.ts';

/** The last known commit of a ref, and how often its chain has changed. */
export interface ChainEnd {
  readonly commit: string;
  readonly changes: number;
}

/** The known pushes of each ref, in their order. Each push begins at the commit where the push before it ended. */
export interface RefChain {
  /** Adds a push; a gap requests a sweep in the same step. */
  link(push: Pick<PushEvent, 'repositoryId' | 'ref' | 'before' | 'after' | 'created'>): Promise<Link>;
  /** The end of the chain of each ref of a repository; undefined before `recordTips` with this `recordsId`. */
  last(repositoryId: number, recordsId?: string): Promise<ReadonlyMap<string, ChainEnd> | undefined>;
  /** The last known commit of one ref; undefined if it is not known. */
  lastOf(repositoryId: number, ref: string): Promise<string | undefined>;
  /** Records the current commits of all refs of a repository; refs that are known already keep their value. */
  recordTips(
    repositoryId: number,
    tips: readonly { readonly ref: string; readonly commit: string }[],
    recordsId?: string,
  ): Promise<void>;
}

const record = z.object({ last: z.string(), changes: z.number().default(0) });

function readEnd(text: string): ChainEnd {
  const { last, changes } = record.parse(JSON.parse(text));
  return { commit: last, changes };
}

export function createRefChain(
  redis: Redis,
  keys: Pick<Keys, 'chain' | 'deletedRefs' | 'sweepRequested'>,
  clock: Clock,
): RefChain {
  return {
    async link({ repositoryId, ref, before, after, created }) {
      const where = [keys.chain(repositoryId), keys.sweepRequested, keys.deletedRefs(repositoryId)];
      return linkPush(redis, where, { now: clock.now(), repositoryId, ref, before, after, created });
    },
    async last(repositoryId, recordsId = '1') {
      const { [begun]: mark, ...all } = await redis.hgetall(keys.chain(repositoryId));
      if (mark !== recordsId) return undefined;
      return new Map(Object.entries(all).map(([ref, text]) => [ref, readEnd(text)]));
    },
    async lastOf(repositoryId, ref) {
      const text = await redis.hget(keys.chain(repositoryId), ref);
      return text === null ? undefined : readEnd(text).commit;
    },
    async recordTips(repositoryId, tips, recordsId = '1') {
      const pipeline = redis.pipeline();
      const key = keys.chain(repositoryId);
      for (const { ref, commit } of tips) pipeline.hsetnx(key, ref, JSON.stringify({ last: commit }));
      pipeline.hset(key, begun, recordsId);
      await pipeline.exec();
    },
  };
}

/** A field name that no ref can have. */
const begun = '#begun';
