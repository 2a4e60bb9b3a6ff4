import { loadScript, type Script, statusIn } from '../lua-script.ts';
import { laneScript, nothing } from './lane-script.ts';

/** Of an environment. The keys of each script: its record, the times when each is to be asked about. */
interface Named {
  readonly name: string;
}

export interface ClaimArguments extends Named {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds that the question may take. */
  readonly forMs: number;
  readonly keepMs: number;
}

/** Lets one worker ask about an environment whose time has come; the number of the question. */
export const claim: Script<ClaimArguments, number | undefined> = loadScript(
  import.meta.dirname,
  'claim-live.lua',
  ([number = '']) => (number === '' ? undefined : Number(number)),
);

export interface KeepArguments extends Named {
  /** Of the question. */
  readonly number: number;
  /** What is live, or ''. */
  readonly version: string;
  readonly commit: string;
  /** When to ask again: milliseconds since the epoch. */
  readonly next: number;
  /** The version that the caller knows as the answer before, and what became of it. */
  readonly before: { readonly version: string; readonly status: string } | undefined;
  readonly lanes: readonly string[];
  readonly keepMs: number;
}

/** Keeps an answer, and writes a change of it into the histories of the lanes. */
export const keepAnswer = laneScript<KeepArguments, 'kept' | 'late'>(
  'keep-live.lua',
  statusIn('kept', 'late'),
);

export interface PostponeArguments extends Named {
  readonly now: number;
  readonly number: number;
  readonly waitMs: number;
  readonly maxWaitMs: number;
  /** Undefined where the platform was not asked. */
  readonly failure: string | undefined;
}

/** Nothing was learned: the environment is asked about later. */
export const postpone: Script<PostponeArguments, void> = loadScript(
  import.meta.dirname,
  'postpone-live.lua',
  nothing,
);

export interface ChangeArguments extends Named {
  /** Where a lane changed it. */
  readonly brought: { readonly lane: string; readonly version: string } | undefined;
  readonly keepMs: number;
}

/** The environment was changed: it is to be asked about at once. */
export const changed: Script<ChangeArguments, void> = loadScript(
  import.meta.dirname,
  'change-live.lua',
  nothing,
);
