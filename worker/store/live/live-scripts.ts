import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript, nothing } from '../scripts/lane-script.ts';

/** Names an environment. The keys of each script: its record, and all environments by the time of their next poll. */
interface Named {
  readonly name: string;
}

export interface ClaimArguments extends Named {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds that the poll may take. */
  readonly forMs: number;
  readonly keepMs: number;
}

/** Lets one worker poll an environment that is due. Returns the number of the poll. */
export const claim: Script<ClaimArguments, number | undefined> = loadScript(
  import.meta.dirname,
  'claim-live.lua',
  ([number = '']) => (number === '' ? undefined : Number(number)),
);

export interface KeepArguments extends Named {
  /** Number of the poll. */
  readonly number: number;
  /** What is live, or ''. */
  readonly version: string;
  readonly commit: string;
  /** Time of the next poll: milliseconds since the epoch. */
  readonly next: number;
  /** The version in the previous answer that the caller knows, and what became of it. */
  readonly before: { readonly version: string; readonly status: string } | undefined;
  readonly lanes: readonly string[];
  readonly keepMs: number;
}

/** Stores the result of a poll, and records a change in the histories of the lanes. */
export const keepAnswer = laneScript<KeepArguments, 'kept' | 'late'>(
  import.meta.dirname,
  'keep-live.lua',
  statusIn('kept', 'late'),
);

export interface PostponeArguments extends Named {
  readonly now: number;
  readonly number: number;
  readonly waitMs: number;
  readonly maxWaitMs: number;
  /** Undefined if the platform was not asked. */
  readonly failure: string | undefined;
}

/** Postpones the next poll of an environment after a poll without an answer. */
export const postpone: Script<PostponeArguments, void> = loadScript(
  import.meta.dirname,
  'postpone-live.lua',
  nothing,
);

export interface ChangeArguments extends Named {
  /** The lane that changed it, and the version that it promoted. */
  readonly brought: { readonly lane: string; readonly version: string } | undefined;
  readonly keepMs: number;
}

/** Makes an environment due for a poll, because Millrace changed it. */
export const changed: Script<ChangeArguments, void> = loadScript(
  import.meta.dirname,
  'change-live.lua',
  nothing,
);
