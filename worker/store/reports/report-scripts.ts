import { pairsOf, statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript, nothing } from '../scripts/lane-script.ts';

export interface TakeArguments {
  readonly promotion: string;
  /** When another sender may take it: milliseconds since the epoch. */
  readonly leaseUntil: number;
}

export type TakeAnswer =
  | { readonly status: 'busy' | 'nothing' }
  | {
      readonly status: 'send';
      readonly record: Readonly<Record<string, string>>;
      /** What was sent about the promotion, by channel (`sent-updates.ts`). */
      readonly sent: Readonly<Record<string, string>>;
      /** What GitHub refused of the repository (`postponements.ts`). */
      readonly postponed: Readonly<Record<string, string>>;
    };

/**
 * Takes the report of a promotion, so that only one sender has it at a time. Returns the facts that the sender
 * needs.
 */
export const takeReport = laneScript<TakeArguments, TakeAnswer>(
  import.meta.dirname,
  'take-report.lua',
  (answer) => {
    const status = statusIn('send', 'busy', 'nothing')(answer);
    if (status !== 'send') return { status };
    const sentAt = 3 + Number(answer[1]);
    const postponedAt = sentAt + Number(answer[2]);
    return {
      status,
      record: pairsOf(answer.slice(3, sentAt)),
      sent: pairsOf(answer.slice(sentAt, postponedAt)),
      postponed: pairsOf(answer.slice(postponedAt)),
    };
  },
  { repeats: true },
);

export interface ReturnArguments {
  readonly promotion: string;
  /** The sequence that was sent; undefined if it could not be sent. */
  readonly sent: number | undefined;
  /** The digest of the plan that GitHub shows with it; undefined without a plan. */
  readonly plan: string | undefined;
  /** The lease with which the report was taken; undefined for a sender that sent nothing. */
  readonly leaseUntil: number | undefined;
  /** The newest format of the records that the caller knows; undefined to close no promotion. */
  readonly knownFormat: number | undefined;
}

/**
 * Returns the report of a promotion after an attempt, and closes a finished promotion if everything is sent.
 * `late`: another sender has had the report since, so everything must be sent again.
 */
export const returnReport = laneScript<ReturnArguments, 'more' | 'done' | 'late'>(
  import.meta.dirname,
  'return-report.lua',
  statusIn('more', 'done', 'late'),
  { repeats: true, mayMeetNewer: ({ leaseUntil }) => leaseUntil !== undefined },
);

/** Closes a promotion that is finished and reported. */
export const close = laneScript<{ readonly promotion: string }, void>(
  import.meta.dirname,
  'close-report.lua',
  nothing,
  {
    repeats: true,
  },
);

/** Records the result of a report in the promotion's history. */
export const noteReport = laneScript<
  { readonly promotion: string; readonly what: string; readonly data: string },
  void
>(import.meta.dirname, 'note-report.lua', nothing, { repeats: true, mayMeetNewer: () => true });

export interface PlanShownArguments {
  readonly promotion: string;
  /** Its digest. */
  readonly plan: string;
  /** False: GitHub may show it soon. */
  readonly isShown: boolean;
}

/** Records which plan of a promotion GitHub shows in an answer to a comment. */
export const notePlanShown = laneScript<PlanShownArguments, void>(
  import.meta.dirname,
  'note-plan-shown.lua',
  nothing,
  { repeats: true },
);

export interface UnsentUpdates {
  /** Promotions that GitHub shows an older state of. */
  readonly count: number;
  /** Since when GitHub shows an older state of the first one, in milliseconds since the epoch. */
  readonly since: number | undefined;
}

/** Counts the promotions of which GitHub shows an older state, and for how long it has. */
export const unsentReports = laneScript<{ readonly check: number }, UnsentUpdates>(
  import.meta.dirname,
  'unsent-reports.lua',
  ([count, since]) => ({ count: Number(count), since: since === undefined ? undefined : Number(since) }),
  { repeats: true, mayMeetNewer: () => true },
);
