import type { Redis } from 'ioredis';
import { type PromotionRecord, readPromotion } from '../../records/promotion-record.ts';
import type { Keys } from '../scripts/keys.ts';
import type { CallLaneScript } from '../scripts/lane-script.ts';
import {
  close,
  notePlanShown,
  noteReport,
  returnReport,
  takeReport,
  unsentReports,
  type UnsentUpdates,
} from './report-scripts.ts';

export type ReportState = 'pending' | 'success' | 'failure' | 'error';

/** Entries that are compared with their promotions each time. */
const comparedEntries = 100;

type TakenReport =
  | { readonly status: 'busy' }
  | { readonly status: 'nothing' }
  | {
      readonly status: 'send';
      readonly seq: string;
      readonly state: ReportState;
      readonly text: string;
      /** The promotion as of this state. */
      readonly promotion: PromotionRecord;
      /** What was sent about it before, and what GitHub refused of its repository, as they are stored. */
      readonly sent: Readonly<Record<string, string>>;
      readonly postponed: Readonly<Record<string, string>>;
    };

const byNoSender = { plan: undefined, leaseUntil: undefined, knownFormat: undefined };

/** Records which status updates were sent to GitHub. */
export interface Reporting {
  takeReport(id: string, until: number): Promise<TakenReport>;
  /**
   * `until`: the value with which the report was taken. `late`: another sender had it in between, and
   * everything must be sent again. If everything of a finished promotion is sent, it is closed. `plan`: the digest of the plan that
   * was sent.
   */
  returnReport(
    promotion: string,
    sent: string | undefined,
    until: number,
    plan?: string,
  ): Promise<'more' | 'done' | 'late'>;
  /** Marks a report as sent without sending it: it kills the worker that sends it. */
  giveUpReport(promotion: string): Promise<void>;
  /** Sends the report again. */
  resendReport(promotion: Pick<PromotionRecord, 'id' | 'report'>): Promise<void>;
  /** GitHub's id of the check run of a promotion; undefined if it has none. */
  checkRunOf(promotion: string): Promise<string | undefined>;
  /** How far behind GitHub is, for all workers. */
  unsentUpdates(): Promise<UnsentUpdates>;
  close(promotion: string): Promise<void>;
  /**
   * Records that an answer to a comment shows a plan, by its digest. `isShown`: false before the answer is written. A comment without
   * a plan then counts for no other plan, whichever of the two its author saw.
   */
  notePlanShown(promotion: string, plan: string, isShown: boolean): Promise<void>;
  /** Adds to the history of a promotion, whichever worker has it. */
  noteReport(promotion: string, what: string, data: string): Promise<void>;
}

/**
 * Creates the records of status updates to GitHub. `format`: the newest format of the records that this process
 * knows.
 */
export function createReporting(redis: Redis, keys: Keys, call: CallLaneScript, format: number): Reporting {
  return {
    async takeReport(id: string, until: number): Promise<TakenReport> {
      const answer = await call(takeReport, { promotion: id, leaseUntil: until });
      if (answer.status !== 'send') return { status: answer.status };
      const { status, record, sent, postponed } = answer;
      const promotion = readPromotion({ ...record, id });
      if (promotion === undefined) return { status: 'nothing' };
      const { reportSeq: seq = '', reportState, reportText: text = '' } = record;
      // Written by `record`, `accept` and the like.
      return { status, seq, state: reportState as ReportState, text, promotion, sent, postponed };
    },
    async returnReport(
      promotion: string,
      sent: string | undefined,
      until: number,
      plan?: string,
    ): Promise<'more' | 'done' | 'late'> {
      return call(returnReport, {
        promotion,
        sent: seqOf(sent),
        plan,
        leaseUntil: until,
        knownFormat: format,
      });
    },
    async giveUpReport(promotion: string): Promise<void> {
      const sent = (await redis.hget(keys.promotion(promotion), 'reportSeq')) ?? undefined;
      await call(returnReport, { promotion, sent: seqOf(sent), ...byNoSender });
      await call(close, { promotion });
    },
    async resendReport({ id, report }: Pick<PromotionRecord, 'id' | 'report'>): Promise<void> {
      await call(returnReport, { promotion: id, sent: report.seq - 1, ...byNoSender });
      await redis.sadd(keys.open, id);
    },
    async checkRunOf(promotion: string): Promise<string | undefined> {
      return (await redis.hget(keys.report(promotion), 'checkId')) ?? undefined;
    },
    async unsentUpdates(): Promise<UnsentUpdates> {
      return call(unsentReports, { check: comparedEntries });
    },
    async close(promotion: string): Promise<void> {
      await call(close, { promotion });
    },
    async notePlanShown(promotion: string, plan: string, isShown: boolean): Promise<void> {
      await call(notePlanShown, { promotion, plan, isShown });
    },
    async noteReport(promotion: string, what: string, data: string): Promise<void> {
      await call(noteReport, { promotion, what, data });
    },
  };
}

const seqOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
