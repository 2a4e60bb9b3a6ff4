import type { Redis } from 'ioredis';
import type { PromotionRecord } from '../records/promotion-record.ts';
import type { Keys } from './keys.ts';
import type { Script } from './script.ts';
import { close, giveReport, noteReport, takeReport } from './scripts/reporting.ts';

type Call = (script: Script, ...values: readonly (string | number)[]) => Promise<readonly string[]>;

export type ReportState = 'pending' | 'success' | 'failure' | 'error';

type TakenReport =
  | { readonly status: 'busy' }
  | { readonly status: 'nothing' }
  | {
      readonly status: 'send';
      readonly seq: string;
      readonly state: ReportState;
      readonly text: string;
    };

/** What the records say of what GitHub has been told. */
export function createReporting(redis: Redis, keys: Keys, call: Call) {
  return {
    async takeReport(promotion: string, until: number): Promise<TakenReport> {
      const [status, seq, state, text] = await call(takeReport, promotion, until);
      if (status !== 'send') return { status: status === 'busy' ? 'busy' : 'nothing' };
      return {
        status: 'send',
        seq: seq ?? '',
        state: (state ?? 'pending') as ReportState,
        text: text ?? '',
      };
    },
    /** `until` as the report was taken with. `late`: somebody else had it meanwhile, and all is to be said anew. */
    async giveReport(
      promotion: string,
      sent: string | undefined,
      until: number,
    ): Promise<'more' | 'done' | 'late'> {
      const [status] = await call(giveReport, promotion, sent ?? '', until);
      return status === 'more' || status === 'late' ? status : 'done';
    },
    /** Counts what there is to say of a promotion as said, though it was not: its report kills whoever sends it. */
    async giveUpReport(promotion: string): Promise<void> {
      await call(giveReport, promotion, (await redis.hget(keys.promotion(promotion), 'reportSeq')) ?? '', '');
      await call(close, promotion);
    },
    /** Has it said after all. */
    async resendReport({ id, report }: Pick<PromotionRecord, 'id' | 'report'>): Promise<void> {
      await call(giveReport, id, String(report.seq - 1), '');
      await redis.sadd(keys.open, id);
    },
    async close(promotion: string): Promise<void> {
      await call(close, promotion);
    },
    /** Adds to the history of a promotion, whoever has it. */
    async noteReport(promotion: string, what: string, data: string): Promise<void> {
      await call(noteReport, promotion, what, data);
    },
  };
}
