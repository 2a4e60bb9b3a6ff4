import path from 'node:path';
import { loadScript, type Script, type ScriptValue } from '../../../lib/redis/scripts/lua-script.ts';

/** Arguments that every script of lanes and promotions gets; see `lane-rules.lua`. */
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

/**
 * Arguments about an action of an operator. This is a type, because the compiler does not accept an interface as
 * JSON.
 */
export type WordArguments = {
  /** Id of the journal. */
  readonly journal: string;
  /** Id of the word. */
  readonly id: string;
};

/**
 * Arguments about the memory of the calling process. This is a type, because the compiler does not accept an
 * interface as JSON.
 */
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

/**
 * A script of lanes and promotions. Its only key is the set of the lanes; it derives the names of all others from
 * the prefix.
 */
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

/** Runs scripts with the key prefix and the time of a store. */
export type CallLaneScript = <Arguments, Answer>(
  script: LaneScript<Arguments, Answer>,
  input: Arguments,
) => Promise<Answer>;

/**
 * Loads the script in a file of `folder`. `repeats`: the script's effect may be lost without harm, because it is
 * done again. `mayMeetNewer`: it may run on records of a newer format, because it changes no lane or promotion, or
 * because it ends what this worker began (its fence or lease proves that no other worker has it since). `isWord`:
 * whether a call carried out an action of an operator, which must not be lost. `before`: Lua to put before the
 * script, from code instead of a file.
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

/** Parses the answer of a script that only answers `ok`. */
export const nothing = (): void => undefined;
