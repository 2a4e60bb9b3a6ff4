import path from 'node:path';
import { loadScript, type Script, type ScriptValue } from '../../../lib/redis/scripts/lua-script.ts';

/** What each script of lanes and promotions takes; see `lane-rules.lua`. */
export interface LaneArguments {
  /** Prefix of all keys. */
  readonly prefix: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What Redis has acknowledged to the caller. */
  readonly memory?: MemoryArguments | undefined;
  /** The newest format of the records that the caller knows; undefined if it may meet any. */
  readonly format?: number | undefined;
  /** Where the worker keeps what an operator says with the call; undefined for nothing, or without a journal. */
  readonly word?: WordArguments | undefined;
}

/** A type, because the compiler does not accept an interface as JSON. */
export type WordArguments = {
  /** Id of the journal. */
  readonly journal: string;
  /** Id of the word. */
  readonly id: string;
};

/** A type, because the compiler does not accept an interface as JSON. */
export type MemoryArguments = {
  /** Id of this process. */
  readonly worker: string;
  /** Number of this call. */
  readonly call: number;
  /** Highest number of a call that Redis has acknowledged. */
  readonly seen: number;
  /** Marker of the records. */
  readonly marker: string;
};

/** A script of lanes and promotions. Its key is the set of the lanes; it makes the others from the prefix. */
export interface LaneScript<Arguments, Answer> extends Script<LaneArguments & Arguments, Answer> {
  /**
   * What people read if the effect of the script was lost; undefined if nothing is missing then, because the script is
   * repeated by itself.
   */
  readonly loses?: string | undefined;
  readonly mayMeetNewer: (input: Arguments) => boolean;
  /** Whether the call did what an operator said; undefined for a script that operators do not call. */
  readonly isWord?: ((answer: Answer, input: Arguments) => boolean) | undefined;
}

/** Runs scripts with the prefix and the time of a store. */
export type CallLaneScript = <Arguments, Answer>(
  script: LaneScript<Arguments, Answer>,
  input: Arguments,
) => Promise<Answer>;

/**
 * Loads the script of a file in `folder`. `repeats`: nothing is missing if what it did is lost, because it is done again.
 * `mayMeetNewer`: whether it may be called on records of a newer format, because it changes no lane or promotion, or because it
 * ends what this worker began before, so that no answer is lost; its fence or lease shows that no other worker has it since.
 * `isWord`: whether a call did what an operator said, which must not be lost. `before`: Lua that is not a file of ours.
 */
export function laneScript<Arguments extends { readonly [Name in keyof Arguments]: ScriptValue }, Answer>(
  folder: string,
  file: string,
  read: (answer: readonly string[]) => Answer,
  {
    repeats = false,
    mayMeetNewer = () => false,
    before = '',
    isWord,
  }: {
    readonly repeats?: boolean;
    readonly mayMeetNewer?: (input: Arguments) => boolean;
    readonly isWord?: (answer: Answer, input: Arguments) => boolean;
    readonly before?: string;
  } = {},
): LaneScript<Arguments, Answer> {
  const script = loadScript<Arguments, Answer>(folder, file, read, before);
  return Object.assign(script, {
    loses: repeats ? undefined : path.basename(file, '.lua'),
    mayMeetNewer,
    isWord,
  });
}

/** The answer of a script that only answers `ok`. */
export const nothing = (): void => undefined;
