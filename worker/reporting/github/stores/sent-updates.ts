import type { Redis } from 'ioredis';
import type { WriteMark } from '../../../rate-limit/write-budget.ts';
import type { Keys } from '../../../store/scripts/keys.ts';
import { loadScript, type Script, statusIn } from '../../../../lib/redis/scripts/lua-script.ts';

/**
 * The updates that were sent to GitHub about a promotion, by channel. A field `<channel>Open` is set before a write
 * and removed after its answer: while it is set, the result of the write is unknown.
 */
export type SentUpdates = Readonly<Record<string, string>>;

export interface ReportRecords {
  read(promotion: string): Promise<SentUpdates>;
  /** `counted`: an update of which GitHub keeps a limited number, and that it has now. */
  write(promotion: string, fields: SentUpdates, counted?: string): Promise<void>;
  /** The same as a part of another command. */
  mark(promotion: string, fields: SentUpdates): WriteMark;
  /** Treats everything sent as uncertain: GitHub is read before anything is sent again. */
  invalidate(promotion: string): Promise<void>;
  /** The same for the deployment only. */
  invalidateDeployment(promotion: string): Promise<void>;
  /** How many of them were written. */
  counted(what: string): Promise<number>;
}

/** Ids of created objects stay; the last update is uncertain. */
const unverifiedDeployment: SentUpdates = { deploymentLast: '', deploymentOpen: 'late' };
const unverified: SentUpdates = {
  statusLast: '',
  statusOpen: 'late',
  checkDigest: '',
  checkOpen: 'late',
  ...unverifiedDeployment,
};

/** Longer than any promotion is reported. */
const keepSeconds = 30 * 86_400;

interface KeepArguments {
  readonly fields: SentUpdates;
  readonly keepSeconds: number;
  readonly counts: boolean;
}

const keepSent: Script<KeepArguments, 'ok'> = loadScript(
  import.meta.dirname,
  'keep-sent.lua',
  statusIn('ok'),
);

export function createReportRecords(
  redis: Redis,
  { prefix, report }: Pick<Keys, 'prefix' | 'report'>,
): ReportRecords {
  const countKey = (what: string): string => `${prefix}:github:count:${what}`;
  async function write(promotion: string, fields: SentUpdates, counted?: string): Promise<void> {
    const counts = counted !== undefined;
    const keys = [report(promotion), ...(counts ? [countKey(counted)] : [])];
    await keepSent(redis, keys, { fields, keepSeconds, counts });
  }
  return {
    read: async (promotion) => redis.hgetall(report(promotion)),
    write,
    mark: (promotion, fields) => ({ key: report(promotion), fields, keepSeconds }),
    invalidate: async (promotion) => write(promotion, unverified),
    invalidateDeployment: async (promotion) => write(promotion, unverifiedDeployment),
    counted: async (what) => Number((await redis.get(countKey(what))) ?? 0),
  };
}
