import type { Redis } from 'ioredis';
import type { AuditEntry, Via } from '../../records/audit-entry.ts';
import type { HistoryEvent } from '../../records/history-event.ts';
import { readPromotion, type PromotionRecord } from '../../records/promotion-record.ts';
import type { Keys } from '../scripts/keys.ts';
import { type LaneRecord, readLane } from './lane-record.ts';
import { type LiveTarget, targetDigest } from '../live/live-target.ts';
import { pairsOf } from '../../../lib/redis/scripts/lua-script.ts';

/** Entries of a history read at once. */
const maxHistoryEntries = 2_000;

/** Reads lanes, promotions, their histories and the audit. */
export interface LaneReads {
  /** Returns once Redis answers: a command that is sent during an outage would take effect after it. */
  waitForRedis(): Promise<void>;
  /** Ids of the promotions whose following lanes have not accepted them yet, the first first. */
  followingIds(lane: string): Promise<readonly string[]>;
  /**
   * The versions that lanes verified in an environment; some thousand at most. Older workers recorded only the last one
   * of each lane: `lane` is the one whose record counts until `finish.lua` has taken it over.
   */
  verifiedVersions(target: LiveTarget, lane: string): Promise<ReadonlySet<string>>;
  /** Whether the promotion was changed from outside since its last advance began. */
  isAdvanceRequested(promotion: string): Promise<boolean>;
  promotion(id: string): Promise<PromotionRecord | undefined>;
  lane(id: string): Promise<LaneRecord | undefined>;
  /** Many promotions at once; without those that do not exist. */
  promotions(ids: readonly string[]): Promise<readonly PromotionRecord[]>;
  /** Many lanes at once; without those that do not exist. */
  lanes(ids: readonly string[]): Promise<readonly LaneRecord[]>;
  /** Ids of all lanes, sorted. */
  laneIds(): Promise<readonly string[]>;
  /** Promotion ids, newest first. */
  promotionIds(limit: number): Promise<readonly string[]>;
  /** Ids of the newest promotions of some lanes, newest first. */
  promotionIdsOf(lanes: readonly string[], limit: number): Promise<readonly string[]>;
  /** Ids of the promotions that need work. */
  openIds(): Promise<readonly string[]>;
  /** The history, oldest first; only the newest entries if there are more than a person reads. */
  history(of: Parameters<Keys['history']>[0]): Promise<readonly HistoryEvent[]>;
  /** The audit, newest first; entries before an id if one is given. */
  auditEntries(limit: number, before?: string): Promise<readonly AuditEntry[]>;
  /** The value that the lane accepted last for a field of its heads. */
  head(lane: string, field: string): Promise<string | undefined>;
  laneSeq(lane: string): Promise<number>;
}

export function createLaneReads(redis: Redis, keys: Keys): LaneReads {
  return {
    async waitForRedis(): Promise<void> {
      await redis.ping();
    },
    async followingIds(lane: string): Promise<readonly string[]> {
      return redis.lrange(keys.following(lane), 0, -1);
    },
    async verifiedVersions(target: LiveTarget, lane: string): Promise<ReadonlySet<string>> {
      const versions = await redis.zrange(keys.verified(targetDigest(target)), '0', '-1');
      if (versions.length > 0) return new Set(versions.filter((version) => version !== ''));
      const { verified } = readLane(lane, await redis.hgetall(keys.lane(lane)), []) ?? {};
      return new Set(verified === undefined ? [] : [verified.version]);
    },
    async isAdvanceRequested(promotion: string): Promise<boolean> {
      return (await redis.hexists(keys.promotion(promotion), 'advanceRequested')) === 1;
    },
    async promotion(id: string): Promise<PromotionRecord | undefined> {
      return readPromotion({ ...(await redis.hgetall(keys.promotion(id))), id });
    },
    async lane(id: string): Promise<LaneRecord | undefined> {
      // Two commands: ioredis gives each pipeline all scripts of the connection, which costs more than a command.
      const [hash, waiting] = await Promise.all([
        redis.hgetall(keys.lane(id)),
        redis.lrange(keys.queue(id), 0, -1),
      ]);
      return readLane(id, hash, waiting);
    },
    async promotions(ids: readonly string[]): Promise<readonly PromotionRecord[]> {
      const hashes = await inBatches(ids, async (some) => {
        const pipeline = redis.pipeline();
        for (const id of some) pipeline.hgetall(keys.promotion(id));
        return answersOf<Record<string, string>>(await pipeline.exec());
      });
      return hashes
        .map((hash, i) => readPromotion({ ...hash, id: ids[i] ?? '' }))
        .filter((promotion) => promotion !== undefined);
    },
    async lanes(ids: readonly string[]): Promise<readonly LaneRecord[]> {
      const lanes = await inBatches(ids, async (some) => {
        const pipeline = redis.pipeline();
        for (const id of some) pipeline.hgetall(keys.lane(id)).lrange(keys.queue(id), 0, -1);
        const answers = answersOf<Record<string, string> & readonly string[]>(await pipeline.exec());
        return some.map((id, i) => readLane(id, answers[2 * i] ?? {}, answers[2 * i + 1] ?? []));
      });
      return lanes.filter((lane) => lane !== undefined);
    },
    async laneIds(): Promise<readonly string[]> {
      return (await redis.smembers(keys.lanes)).toSorted();
    },
    async promotionIds(limit: number): Promise<readonly string[]> {
      return redis.zrevrange(keys.promotions, 0, limit - 1);
    },
    async promotionIdsOf(lanes: readonly string[], limit: number): Promise<readonly string[]> {
      const pages = await Promise.all(
        lanes.map((lane) => redis.zrevrange(keys.promotionsOf(lane), 0, limit - 1, 'WITHSCORES')),
      );
      return pages
        .flatMap((page) => page.flatMap((id, i) => (i % 2 === 0 ? [{ id, at: Number(page[i + 1]) }] : [])))
        .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(({ id }) => id);
    },
    async openIds(): Promise<readonly string[]> {
      return redis.smembers(keys.open);
    },
    async history(of: Parameters<Keys['history']>[0]): Promise<readonly HistoryEvent[]> {
      if ('promotion' in of)
        return (await redis.lrange(keys.history(of), -maxHistoryEntries, -1)).map(readEntry);
      const entries = await redis.xrevrange(keys.history(of), '+', '-', 'COUNT', maxHistoryEntries);
      return entries.toReversed().map(([, fields]) => {
        const hash = pairsOf(fields);
        return { at: Number(hash['at'] ?? 0), what: hash['what'] ?? '', data: hash['data'] ?? '' };
      });
    },
    async auditEntries(limit: number, before?: string): Promise<readonly AuditEntry[]> {
      const start = before === undefined ? '+' : `(${before}`;
      const entries = await redis.xrevrange(keys.audit, start, '-', 'COUNT', limit);
      return entries.map(([id, fields]) => {
        const hash = pairsOf(fields);
        const { at = '0', by = '', via = 'api', act = '', lane = '', promotion = '', data = '' } = hash;
        return { id, at: Number(at), by, via: via as Via, act, lane, promotion, data };
      });
    },
    async head(lane: string, field: string): Promise<string | undefined> {
      return (await redis.hget(keys.heads(lane), field)) ?? undefined;
    },
    async laneSeq(lane: string): Promise<number> {
      return Number((await redis.hget(keys.lane(lane), 'seq')) ?? 0);
    },
  };
}

/** Records that are read in one batch, so that other clients of Redis wait only for a moment. */
const batchSize = 250;

async function inBatches<Given, Answer>(
  all: readonly Given[],
  read: (some: readonly Given[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < all.length; i += batchSize) answers.push(...(await read(all.slice(i, i + batchSize))));
  return answers;
}

/** The answers of a pipeline. Throws the first error. */
function answersOf<Answer>(
  results: readonly (readonly [error: Error | null, answer: unknown])[] | null,
): readonly Answer[] {
  return (results ?? []).map(([error, answer]) => {
    if (error !== null) throw error;
    return answer as Answer;
  });
}

/** Parses an entry of a history: `<time> <what> <data>`. */
export function readEntry(text: string): HistoryEvent {
  const [at = '', what = ''] = text.split(' ', 2);
  return { at: Number(at), what, data: text.slice(at.length + what.length + 2) };
}
