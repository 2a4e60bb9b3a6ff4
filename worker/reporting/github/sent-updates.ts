import type { Redis } from 'ioredis';
import type { Keys } from '../../store/keys.ts';
import { loadScript, type Script, statusIn } from '../../store/lua-script.ts';

/**
 * The status updates sent to GitHub about a promotion, by channel. A field `<channel>Open` is set before a
 * write and cleared after its answer: while it is set, the result of the write is unknown.
 */
export type SentUpdates = Readonly<Record<string, string>>;

export interface ReportRecords {
  read(promotion: string): Promise<SentUpdates>;
  write(promotion: string, fields: SentUpdates): Promise<void>;
  /** Treats everything sent as uncertain: GitHub is read before anything is sent again. */
  invalidate(promotion: string): Promise<void>;
  /** The same for the deployment only. */
  invalidateDeployment(promotion: string): Promise<void>;
  /** Counts updates of which GitHub keeps a limited number; returns the count. */
  count(what: string): Promise<number>;
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
}

const keepSent: Script<KeepArguments, 'ok'> = loadScript(
  import.meta.dirname,
  'keep-sent.lua',
  statusIn('ok'),
);

const countSent: Script<Pick<KeepArguments, 'keepSeconds'>, number> = loadScript(
  import.meta.dirname,
  'count-sent.lua',
  ([count]) => Number(count),
);

export function createReportRecords(
  redis: Redis,
  { prefix, report }: Pick<Keys, 'prefix' | 'report'>,
): ReportRecords {
  const countKey = (what: string): string => `${prefix}:github:count:${what}`;
  async function write(promotion: string, fields: SentUpdates): Promise<void> {
    await keepSent(redis, [report(promotion)], { fields, keepSeconds });
  }
  return {
    read: async (promotion) => redis.hgetall(report(promotion)),
    write,
    invalidate: async (promotion) => write(promotion, unverified),
    invalidateDeployment: async (promotion) => write(promotion, unverifiedDeployment),
    async count(what) {
      return countSent(redis, [countKey(what)], { keepSeconds });
    },
    counted: async (what) => Number((await redis.get(countKey(what))) ?? 0),
  };
}
