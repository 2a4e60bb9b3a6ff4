import type { Outcome } from '../../lib/core/outcome.ts';
import { readPromotion, type PromotionRecord } from '../records/promotion-record.ts';
import type { GivenHold } from './lane-record.ts';
import { type LiveTarget, targetDigest } from './live-target.ts';
import { toJson } from './lua-script.ts';
import type { ReportState } from './reporting.ts';
import { begin, record, endAdvance, finish } from './scripts/advance.ts';
import { endAndDelay } from './scripts/end-and-delay.ts';
import type { CallLaneScript } from './scripts/lane-script.ts';

/** The right to advance a promotion: its fence shows that no other worker has taken it over. */
export interface AdvanceKey {
  readonly lane: string;
  readonly promotion: string;
  readonly fence: string;
}

/** Conditions that prevent an advance; none by default. */
export interface BeginGuards {
  /** The steps that the caller knows. */
  readonly steps?: readonly string[];
  /** Number of unfinished advances in a row from which the promotion must run alone. */
  readonly quarantineFrom?: number | undefined;
}

/** The job of an advance, and when the next one is due. */
export interface DelayedJob {
  /** Prefix of the keys of its queue. */
  readonly queuePrefix: string;
  /** Its id. */
  readonly job: string;
  /** Of its lock. */
  readonly token: string;
  /** Milliseconds until the next advance. */
  readonly delay: number;
}

export interface BegunAdvance {
  readonly key: AdvanceKey;
  /** The promotion as of the fence. */
  readonly promotion: PromotionRecord;
}

/** Why the promotion cannot be advanced now, and the promotion, if it exists. */
export interface NoAdvance {
  readonly status: 'over' | 'unknown-step' | 'quarantine';
  readonly promotion: PromotionRecord | undefined;
}

export interface Entry {
  readonly kind: 'state' | 'effect' | 'note';
  readonly what: string;
  readonly data?: unknown;
  readonly fields?: Readonly<Record<string, string>>;
  readonly report?: { readonly state: ReportState; readonly text: string } | undefined;
}

export interface PromotionResult {
  readonly outcome: Outcome;
  readonly message: string;
  readonly report: { readonly state: ReportState; readonly text: string };
  /** The version that the lane has verified. */
  readonly verified?: string;
  /** The version whose verification failed: no roll-back goes to it. */
  readonly refuted?: string | undefined;
  /** The environment in which it was verified, or failed. */
  readonly target?: LiveTarget;
  readonly hold?: GivenHold;
  readonly state: 'following' | 'finished';
}

/** How an advance begins, records what it does and ends. `superseded` is called for promotions that a newer one ended. */
export function createAdvances(call: CallLaneScript, superseded: (count: number) => void) {
  return {
    /** Begins an advance: every other advance of the promotion is fenced off from now on. */
    async beginAdvance(
      { id }: Pick<PromotionRecord, 'id'>,
      { steps, quarantineFrom }: BeginGuards = {},
    ): Promise<BegunAdvance | NoAdvance> {
      const answer = await call(begin, { promotion: id, steps, quarantineFrom });
      const promotion = readPromotion(answer.record);
      if (answer.status === 'ok' && promotion !== undefined)
        return {
          key: { lane: promotion.lane, promotion: id, fence: answer.record['fence'] ?? '' },
          promotion,
        };
      return { status: answer.status === 'ok' ? 'over' : answer.status, promotion };
    },

    async record(
      key: AdvanceKey,
      entry: Entry,
    ): Promise<{ status: 'ok' | 'fenced' | 'held'; reportSeq: number }> {
      const { kind, what, data, fields = {}, report } = entry;
      const { status, reportSeq } = await call(record, {
        ...key,
        kind,
        what,
        data: data === undefined ? '' : JSON.stringify(data),
        fields,
        report,
      });
      return { status, reportSeq };
    },

    async endAdvance(key: AdvanceKey): Promise<void> {
      await call(endAdvance, key);
    },

    /** Ends the advance and delays its job. Throws if this worker no longer has the job. */
    async endAndDelay(key: AdvanceKey, job: DelayedJob): Promise<void> {
      // BullMQ uses the machine's clock.
      if ((await call(endAndDelay, { ...key, ...job, at: Date.now() })) === 'lost')
        throw new Error('The lock of the job was lost.');
    },

    /** Returns the promotion that has the lane now; undefined if this advance was fenced off. */
    async finish(key: AdvanceKey, end: PromotionResult): Promise<{ next: string } | undefined> {
      const { outcome, message, report, verified, refuted, target, state } = end;
      const answer = await call(finish, {
        ...key,
        outcome,
        message,
        report,
        verified: verified || undefined,
        refuted,
        target: target && targetDigest(target),
        hold: end.hold && toJson(end.hold),
        state,
      });
      if (answer === undefined) return undefined;
      superseded(answer.superseded);
      return { next: answer.next };
    },
  };
}
