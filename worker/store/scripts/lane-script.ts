import { loadScript, type Script, type ScriptValue } from '../lua-script.ts';

/** What each script of lanes and promotions takes; see `lane-rules.lua`. */
export interface LaneArguments {
  /** Of all keys. */
  readonly prefix: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A script of lanes and promotions. Its key is the set of the lanes; it makes the others from the prefix. */
export type LaneScript<Arguments, Answer> = Script<LaneArguments & Arguments, Answer>;

/** Runs scripts with the prefix and the time of a store. */
export type CallLaneScript = <Arguments, Answer>(
  script: LaneScript<Arguments, Answer>,
  given: Arguments,
) => Promise<Answer>;

/** Loads a script of this folder. */
export function laneScript<Arguments extends { readonly [Name in keyof Arguments]: ScriptValue }, Answer>(
  file: string,
  read: (answer: readonly string[]) => Answer,
): LaneScript<Arguments, Answer> {
  return loadScript(import.meta.dirname, file, read);
}

/** The answer of a script that only answers `ok`. */
export const nothing = (): void => undefined;
