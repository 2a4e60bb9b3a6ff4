import { pairsOf, statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { replaceDelayedJob } from '../../queue/fragments.ts';
import { laneScript, nothing } from '../scripts/lane-script.ts';

/** A promotion, and the fence that shows that no other worker has taken it over. */
interface Fenced {
  readonly lane: string;
  readonly promotion: string;
  readonly fence: string;
}

export interface BeginArguments {
  readonly promotion: string;
  /** Names of the steps that the caller knows; undefined for any. */
  readonly steps: readonly string[] | undefined;
  /** Number of unfinished advances from which it does not begin. */
  readonly quarantineFrom: number | undefined;
}

export interface BeginAnswer {
  readonly status: 'ok' | 'over' | 'unknown-step' | 'quarantine';
  /** The record as of the fence. */
  readonly record: Readonly<Record<string, string>>;
}

/**
 * Begins an advance of a promotion. From now on, every earlier advance of this promotion is fenced off: it can no
 * longer write.
 */
export const begin = laneScript<BeginArguments, BeginAnswer>(import.meta.dirname, 'begin.lua', readBegin, {
  repeats: true,
});

/** Parses the answer of `begin_advance`. */
export function readBegin(answer: readonly string[]): BeginAnswer {
  return {
    status: statusIn('ok', 'over', 'unknown-step', 'quarantine')(answer),
    record: pairsOf(answer.slice(1)),
  };
}

/** A type, because the compiler does not accept an interface as JSON. */
type Report = { readonly state: string; readonly text: string };

/** With the time by BullMQ's clock. */
type TimedReport = Report & { readonly at: number };

/** With the milliseconds until it is reported. */
type ReportWithJob = TimedReport & { readonly delay: number };

/** What an advance writes. This is a type, because the compiler does not accept an interface as JSON. */
export type EntryArguments = {
  /** For the history; '' for no entry. */
  readonly what: string;
  /** JSON, or ''. */
  readonly data: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly report: ReportWithJob | undefined;
};

/** What waited for the next event is recorded before it. */
interface WithRest {
  readonly rest: readonly EntryArguments[] | undefined;
}

export type RecordArguments = Fenced &
  WithRest &
  EntryArguments & {
    readonly kind: 'state' | 'effect' | 'note';
    /** Of an effect: the digest of its plan. */
    readonly plan: string | undefined;
  };

export interface RecordAnswer {
  readonly status: 'ok' | 'fenced' | 'held';
  /** Sequence of the report; 0 unless the status is `ok`. */
  readonly reportSeq: number;
}

/** Records what an advance of a promotion did. */
export const record = laneScript<RecordArguments, RecordAnswer>(
  import.meta.dirname,
  'record.lua',
  (answer) => ({
    status: statusIn('ok', 'fenced', 'held')(answer),
    reportSeq: Number(answer[1]),
  }),
  {
    mayMeetNewer: ({ kind }) => kind !== 'effect',
    before: replaceDelayedJob,
  },
);

/** Ends an advance normally. */
export const endAdvance = laneScript<Fenced, void>(import.meta.dirname, 'end-advance.lua', nothing, {
  repeats: true,
  mayMeetNewer: () => true,
});

export interface FinishArguments extends Fenced, WithRest {
  /** For the history before the end, once the result of the last intent is known. */
  readonly what: string | undefined;
  /** Data of that entry: JSON, or ''. */
  readonly data: string;
  readonly outcome: string;
  readonly message: string;
  readonly report: TimedReport;
  /** The version that the lane has verified. */
  readonly verified: string | undefined;
  /** The version whose verification failed. */
  readonly refuted: string | undefined;
  /** Digest of the environment. */
  readonly target: string | undefined;
  /** As JSON. */
  readonly hold: string | undefined;
  readonly state: 'following' | 'finished';
}

export interface FinishAnswer {
  /** The promotion that has the lane now; '' for none. */
  readonly next: string;
  readonly superseded: number;
}

/**
 * Ends a promotion, with the job that reports it, and starts the next promotion of the lane. Undefined if another
 * worker has taken over the promotion.
 */
export const finish = laneScript<FinishArguments, FinishAnswer | undefined>(
  import.meta.dirname,
  'finish.lua',
  (answer) => {
    const [, next = '', superseded] = answer;
    if (statusIn('ok', 'fenced')(answer) === 'fenced') return undefined;
    return { next, superseded: Number(superseded) };
  },
  { before: replaceDelayedJob },
);
