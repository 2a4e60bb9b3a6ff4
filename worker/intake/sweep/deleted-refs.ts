import type { Redis } from 'ioredis';
import type { Keys } from '../../store/scripts/keys.ts';
import { repositoryOf } from '../../store/lanes/lane-id.ts';
import { forgetRef } from '../ingest/scripts.ts';

/** The refs that have records, and since when a ref is known to be deleted. Times in milliseconds since the epoch. */
export interface DeletedRefs {
  /** True once a day for each repository. The first call only starts the interval. */
  isDue(repositoryId: number, now: number): Promise<boolean>;
  /** All refs of a repository that have records. */
  remembered(repositoryId: number): Promise<ReadonlySet<string>>;
  /** Since when refs are deleted. A push of a ref removes its mark. */
  since(repositoryId: number): Promise<ReadonlyMap<string, number>>;
  mark(repositoryId: number, refs: readonly string[], now: number): Promise<void>;
  unmark(repositoryId: number, refs: readonly string[]): Promise<void>;
  /** Removes the records of a ref, unless it was pushed since its mark was read. */
  forget(repositoryId: number, ref: string, since: number): Promise<boolean>;
}

const dayMs = 86_400_000;

/** Fields written at once. */
const batch = 500;

export function createDeletedRefs(
  redis: Redis,
  keys: Pick<Keys, 'chain' | 'deletedRefs' | 'heads' | 'lanes' | 'sweep'>,
): DeletedRefs {
  const lastChecked = `${keys.sweep}:deleted-refs-checked`;

  async function headsOf(repositoryId: number): Promise<readonly string[]> {
    const lanes = await redis.smembers(keys.lanes);
    return lanes.filter((id) => repositoryOf(id) === repositoryId).map((id) => keys.heads(id));
  }

  async function inBatches<T>(all: readonly T[], work: (some: readonly T[]) => Promise<unknown>) {
    for (let i = 0; i < all.length; i += batch) await work(all.slice(i, i + batch));
  }

  return {
    async isDue(repositoryId, now) {
      const field = String(repositoryId);
      const last = await redis.hget(lastChecked, field);
      if (last !== null && now - Number(last) < dayMs) return false;
      await redis.hset(lastChecked, field, now);
      return last !== null;
    },
    async remembered(repositoryId) {
      const hashes = [keys.chain(repositoryId), ...(await headsOf(repositoryId))];
      const fields = await Promise.all(hashes.map((key) => redis.hkeys(key)));
      return new Set(fields.flat().filter((field) => field.startsWith('refs/')));
    },
    async since(repositoryId) {
      const marks = Object.entries(await redis.hgetall(keys.deletedRefs(repositoryId)));
      return new Map(marks.map(([ref, at]) => [ref, Number(at)]));
    },
    mark: (repositoryId, refs, now) =>
      inBatches(refs, (some) =>
        redis.hset(keys.deletedRefs(repositoryId), ...some.flatMap((ref) => [ref, now])),
      ),
    unmark: (repositoryId, refs) =>
      inBatches(refs, (some) => redis.hdel(keys.deletedRefs(repositoryId), ...some)),
    async forget(repositoryId, ref, since) {
      const where = [
        keys.deletedRefs(repositoryId),
        keys.chain(repositoryId),
        ...(await headsOf(repositoryId)),
      ];
      return (await forgetRef(redis, where, { ref, since })) === 'forgotten';
    },
  };
}
