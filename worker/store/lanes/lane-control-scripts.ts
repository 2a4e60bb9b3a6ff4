import type { Via } from '../../records/audit-entry.ts';
import { statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript, nothing } from '../scripts/lane-script.ts';

/** Starts the next promotions of idle lanes. Returns their ids in `started`. */
export const wake = laneScript<
  { readonly lanes: readonly string[] },
  { readonly superseded: number; readonly started: readonly string[] }
>(
  import.meta.dirname,
  'wake.lua',
  ([superseded, ...started]) => ({ superseded: Number(superseded), started }),
  { repeats: true },
);

/** Selects the promotions that have no job, for the reconciler. `jobKeys`: the prefix of the keys of their jobs. */
export const promotionsToReconcile = laneScript<
  { readonly promotions: readonly string[]; readonly jobKeys: string },
  readonly string[]
>(import.meta.dirname, 'promotions-to-reconcile.lua', (ids) => ids, { repeats: true });

interface HoldForRollBackArguments {
  readonly lane: string;
  /** As JSON. */
  readonly hold: string;
  readonly by: string;
  readonly via: Via;
}

export interface HoldArguments extends HoldForRollBackArguments {
  /** A version that was found missing; it counts once. */
  readonly missing: string | undefined;
}

/** Holds a lane. */
export const hold = laneScript<HoldArguments, 'ok' | 'unknown' | 'noticed' | 'full'>(
  import.meta.dirname,
  'hold.lua',
  statusIn('ok', 'unknown', 'noticed', 'full'),
  { isWord: (status, { via }) => status === 'ok' && via !== 'worker' },
);

/** Holds a lane for a manual roll-back, unless a promotion is changing its target. */
export const holdForRollBack = laneScript<
  HoldForRollBackArguments,
  { readonly status: 'ok' | 'unknown' | 'at-work'; readonly promotion: string }
>(
  import.meta.dirname,
  'hold-for-roll-back.lua',
  (answer) => ({ status: statusIn('ok', 'unknown', 'at-work')(answer), promotion: answer[1] ?? '' }),
  { isWord: ({ status }) => status === 'ok' },
);

export interface ResumeArguments {
  readonly lane: string;
  readonly by: string;
  readonly via: Via;
  readonly reason: string;
  /** Ids of the holds; undefined for all. */
  readonly ids: readonly string[] | undefined;
}

export type ResumeAnswer =
  | { readonly status: 'unknown' | 'not-held' }
  | {
      readonly status: 'ok';
      /** The promotion that continues now, or ''. */
      readonly started: string;
      /** The lifted holds, and those that are left, as JSON. */
      readonly lifted: string;
      readonly left: string;
      readonly superseded: number;
    };

/** Lifts the holds that the person saw. Other holds stay. */
export const resume = laneScript<ResumeArguments, ResumeAnswer>(
  import.meta.dirname,
  'resume.lua',
  readResume,
  {
    isWord: ({ status }) => status === 'ok',
  },
);

function readResume(answer: readonly string[]): ResumeAnswer {
  const status = statusIn('ok', 'unknown', 'not-held')(answer);
  if (status !== 'ok') return { status };
  const [, started = '', lifted = '', left = '', superseded] = answer;
  return { status, started, lifted, left, superseded: Number(superseded) };
}

export interface CancelArguments {
  readonly promotion: string;
  readonly by: string;
  readonly via: Via;
  /** Who or what ends it, as shown. */
  readonly cause: string;
}

/** Requests that a promotion ends. */
export const cancel = laneScript<CancelArguments, 'unknown' | 'ended' | 'over' | 'requested'>(
  import.meta.dirname,
  'cancel.lua',
  statusIn('unknown', 'ended', 'over', 'requested'),
  { isWord: (status, { via }) => (status === 'ended' || status === 'requested') && via !== 'worker' },
);

/** Ends a promotion after the following lanes have accepted its version. */
export const finishFollowing = laneScript<{ readonly promotion: string }, void>(
  import.meta.dirname,
  'finish-following.lua',
  nothing,
  { repeats: true },
);

interface ResolveArguments {
  readonly lane: string;
  readonly promotion: string;
  readonly by: string;
  readonly via: Via;
  /** As JSON. */
  readonly step: string;
  readonly keepIntent: boolean;
  /** As JSON. */
  readonly verdict: string;
}

interface ResolveAnswer {
  readonly status: 'ok' | 'not-indeterminate' | 'busy' | 'passed-by';
  /** The active promotion of the lane, or ''. */
  readonly started: string;
  readonly superseded: number;
}

/** Continues a promotion whose outcome was unknown. */
export const resolve = laneScript<ResolveArguments, ResolveAnswer>(
  import.meta.dirname,
  'resolve.lua',
  (answer) => {
    const [, started = '', superseded = '0'] = answer;
    return {
      status: statusIn('ok', 'not-indeterminate', 'busy', 'passed-by')(answer),
      started,
      superseded: Number(superseded),
    };
  },
  { isWord: ({ status }) => status === 'ok' },
);
