import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { readPromotion, type PromotionRecord } from '../../records/promotion-record.ts';
import type { GivenHold } from '../lanes/lane-record.ts';
import { type LiveTarget, targetDigest } from '../live/live-target.ts';
import { toJson } from '../../../lib/redis/scripts/lua-script.ts';
import type { ReportState } from '../reports/reporting.ts';
import {
  begin,
  type BeginAnswer,
  type EntryArguments,
  record,
  type RecordAnswer,
  endAdvance,
  finish,
  type FinishAnswer,
} from './advance.ts';
import { endAndDelay } from './end-and-delay.ts';
import type { CallLaneScript } from '../scripts/lane-script.ts';
import { takeAdvance, type TakenAnswer } from './take-advance.ts';

/**
 * The right to advance a promotion. Its fence, a number, proves that no other worker has taken over the promotion
 * since.
 */
export interface AdvanceKey {
  readonly lane: string;
  readonly promotion: string;
  readonly fence: string;
}

/** Conditions under which an advance must not begin; none by default. */
export interface BeginGuards {
  /** The steps that the caller knows. */
  readonly steps?: readonly string[];
  /** Number of unfinished advances in a row from which the promotion must run alone. */
  readonly quarantineFrom?: number | undefined;
}

/** The job of an advance, and when the next advance is due. */
export interface DelayedJob {
  /** Prefix of the keys of its queue. */
  readonly queuePrefix: string;
  /** Its id. */
  readonly job: string;
  /** Token of the lock of the job. */
  readonly token: string;
  /** Milliseconds until the next advance. */
  readonly delay: number;
}

/** The consumer that takes a job, and its lock. */
export interface TakenBy {
  /** Token of the lock of the job. */
  readonly token: string;
  readonly lockMs: number;
}

/** A job that a consumer has taken, with the advance that began with it. */
export interface TakenAdvance extends Omit<TakenAnswer, 'begun'> {
  /** Undefined if there is no job, or if it is something else. */
  readonly begun: BegunAdvance | NoAdvance | undefined;
}

export interface BegunAdvance {
  readonly key: AdvanceKey;
  /** The promotion as of the fence. */
  readonly promotion: PromotionRecord;
  /** Whether anything was paused then. */
  readonly mayBePaused: boolean;
}

/** The reason why a promotion cannot be advanced now, and the promotion, if it exists. */
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
  /** Of an effect: the digest of the plan that the record must have; undefined for any. */
  readonly plan?: string | undefined;
}

export interface PromotionResult {
  /** For the history before the end; the result of the last intent is known. */
  readonly what?: string;
  /** Data of that entry. */
  readonly data?: unknown;
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

/** GitHub gets only the last of several states in a row. */
const reportDelayMs = 300;

/** Begins advances of promotions, records what they do, and ends them. */
export interface Advances {
  /** Begins an advance: every other advance of the promotion is fenced off from now on. */
  beginAdvance(
    promotion: Pick<PromotionRecord, 'id'>,
    guards?: BeginGuards,
  ): Promise<BegunAdvance | NoAdvance>;
  /** Takes the next job of the queue of advances, and begins its advance. */
  takeAdvance(queuePrefix: string, by: TakenBy, guards?: BeginGuards): Promise<TakenAdvance>;
  /** Records what an advance does, and before it `rest`, which waited for that. A new state to report also gets its job. */
  record(key: AdvanceKey, entry: Entry, rest?: readonly Entry[]): Promise<RecordAnswer>;
  endAdvance(key: AdvanceKey): Promise<void>;
  /**
   * Ends the advance and delays its job. `next`: also takes the next job, with the same token, and begins its advance;
   * undefined if there is none. Throws if this worker no longer has the job.
   */
  endAndDelay(
    key: AdvanceKey,
    job: DelayedJob,
    next?: BeginGuards & Pick<TakenBy, 'lockMs'>,
  ): Promise<TakenAdvance | undefined>;
  /** Undefined if this advance was fenced off. `rest`: see `record`. */
  finish(
    key: AdvanceKey,
    end: PromotionResult,
    rest?: readonly Entry[],
  ): Promise<Pick<FinishAnswer, 'next'> | undefined>;
}

/**
 * Creates the records of advances. `superseded` is called for promotions that ended because of a newer one;
 * `format`: the newest format of the records that this process knows.
 */
export function createAdvances(
  call: CallLaneScript,
  superseded: (count: number) => void,
  format: number,
): Advances {
  return {
    async beginAdvance(
      { id }: Pick<PromotionRecord, 'id'>,
      { steps, quarantineFrom }: BeginGuards = {},
    ): Promise<BegunAdvance | NoAdvance> {
      return advanceOf(await call(begin, { promotion: id, steps, quarantineFrom }));
    },

    async takeAdvance(
      queuePrefix: string,
      { token, lockMs }: TakenBy,
      { steps, quarantineFrom }: BeginGuards = {},
    ): Promise<TakenAdvance> {
      const input = { queuePrefix, token, lockMs, steps, quarantineFrom };
      // BullMQ uses the machine's clock.
      return takenOf(await call(takeAdvance, { ...input, at: Date.now() }));
    },

    async record(key: AdvanceKey, entry: Entry, rest: readonly Entry[] = []): Promise<RecordAnswer> {
      return call(record, {
        ...key,
        kind: entry.kind,
        plan: entry.plan,
        ...entryArguments(entry),
        rest: restArguments(rest),
      });
    },

    async endAdvance(key: AdvanceKey): Promise<void> {
      await call(endAdvance, key);
    },

    async endAndDelay(
      key: AdvanceKey,
      job: DelayedJob,
      next?: BeginGuards & Pick<TakenBy, 'lockMs'>,
    ): Promise<TakenAdvance | undefined> {
      const { lockMs, steps, quarantineFrom } = next ?? {};
      const { status, taken } = await call(endAndDelay, {
        ...key,
        ...job,
        at: Date.now(),
        next: lockMs === undefined ? undefined : { lockMs, format, steps, quarantineFrom },
      });
      if (status === 'lost') throw new Error('The lock of the job was lost.');
      return taken && takenOf(taken);
    },

    async finish(
      key: AdvanceKey,
      end: PromotionResult,
      rest: readonly Entry[] = [],
    ): Promise<Pick<FinishAnswer, 'next'> | undefined> {
      const { what, data, outcome, message, report, verified, refuted, target, state } = end;
      const answer = await call(finish, {
        ...key,
        rest: restArguments(rest),
        what,
        data: data === undefined ? '' : JSON.stringify(data),
        outcome,
        message,
        // BullMQ uses the machine's clock.
        report: { ...report, at: Date.now() },
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

function entryArguments({ what, data, fields = {}, report }: Entry): EntryArguments {
  return {
    what,
    data: data === undefined ? '' : JSON.stringify(data),
    fields,
    // BullMQ uses the machine's clock.
    report: report && { ...report, at: Date.now(), delay: reportDelayMs },
  };
}

const restArguments = (rest: readonly Entry[]): readonly EntryArguments[] | undefined =>
  rest.length === 0 ? undefined : rest.map(entryArguments);

function advanceOf({ status, record: hash }: BeginAnswer): BegunAdvance | NoAdvance {
  const promotion = readPromotion(hash);
  if (status === 'ok' && promotion !== undefined) {
    const { id, lane } = promotion;
    const key = { lane, promotion: id, fence: hash['fence'] ?? '' };
    return { key, promotion, mayBePaused: Number(hash['#pauses']) > 0 };
  }
  return { status: status === 'ok' ? 'over' : status, promotion };
}

function takenOf({ begun, ...taken }: TakenAnswer): TakenAdvance {
  return { ...taken, begun: begun && advanceOf(begun) };
}
