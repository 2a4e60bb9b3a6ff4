import type { Redis } from 'ioredis';
import type { Keys } from '../../store/keys.ts';

/**
 * What GitHub has been told about a promotion, by channel. A field `<channel>Open` stands from before a write until its
 * answer is known: while it does, nobody knows whether the write took place.
 */
export type SentUpdates = Readonly<Record<string, string>>;

export interface ReportRecords {
  read(promotion: string): Promise<SentUpdates>;
  write(promotion: string, fields: SentUpdates): Promise<void>;
  /** Holds nothing for certain that GitHub was told: it is read there before anything is said again. */
  invalidate(promotion: string): Promise<void>;
  /** Something that GitHub refuses here is not tried again for an hour. */
  disable(what: string): Promise<void>;
  isDisabled(what: string): Promise<boolean>;
  /** Counts what GitHub keeps only so many of; gives how many there are now. */
  count(what: string): Promise<number>;
  counted(what: string): Promise<number>;
}

/** Ids of what was made stay; what it was told last is open. */
const unverified: SentUpdates = {
  statusLast: '',
  statusOpen: 'late',
  checkDigest: '',
  checkOpen: 'late',
  deploymentLast: '',
  deploymentOpen: 'late',
};

/** Longer than any promotion is reported. */
const keepSeconds = 30 * 86_400;

export function createReportRecords(
  redis: Redis,
  { prefix, report }: Pick<Keys, 'prefix' | 'report'>,
): ReportRecords {
  const disabledKey = (what: string): string => `${prefix}:github:off:${what}`;
  const countKey = (what: string): string => `${prefix}:github:count:${what}`;
  async function write(promotion: string, fields: SentUpdates): Promise<void> {
    await redis.multi().hset(report(promotion), fields).expire(report(promotion), keepSeconds).exec();
  }
  return {
    read: async (promotion) => redis.hgetall(report(promotion)),
    write,
    invalidate: async (promotion) => write(promotion, unverified),
    async disable(what) {
      await redis.set(disabledKey(what), '1', 'EX', 3_600);
    },
    isDisabled: async (what) => (await redis.exists(disabledKey(what))) > 0,
    async count(what) {
      const answers = await redis.multi().incr(countKey(what)).expire(countKey(what), keepSeconds).exec();
      return Number(answers?.[0]?.[1] ?? 0);
    },
    counted: async (what) => Number((await redis.get(countKey(what))) ?? 0),
  };
}
