import type { Grid } from '../../lib/pipelines/model/grid.ts';
import type { Place } from '../core/refusal.ts';

/** A variable that a Python script can read under a global name, and can set with `context`. */
export interface ScriptVariable {
  readonly name: string;
  /** A NUMBER is given as an exact text, which is empty if it has no value. */
  readonly type: 'TEXT' | 'NUMBER' | 'GRID';
  /** The columns of a grid. */
  readonly columns: readonly string[];
  readonly value: string | Grid;
}

/** A Python script to run, with everything that it receives. */
export interface ScriptJob {
  readonly text: string;
  readonly variables: readonly ScriptVariable[];
  /** Whether the name `session` exists. */
  readonly hasSession: boolean;
  readonly timeoutMs: number;
}

/** The output that a script wrote, cut at the limit. */
export interface ScriptOutput {
  readonly text: string;
  /** Number of characters that were left out. */
  readonly omitted: number;
}

/**
 * How a script ended. Lines count from 1 in the script. The line is undefined if no line of the script is the
 * cause.
 */
export type ScriptEnd =
  | { readonly kind: 'ended'; readonly set: ReadonlyMap<string, string | Grid> }
  | {
      readonly kind: 'raised';
      /** The type of the exception. */
      readonly type: string;
      readonly message: string;
      readonly line: number | undefined;
    }
  /** It did not run: this system cannot limit its processes, or only root can read its interpreter. */
  | { readonly kind: 'unsafe'; readonly why: 'unbounded' | 'unreadable' }
  /** It used something that the engine does not support. */
  | { readonly kind: 'refused'; readonly construct: string; readonly line: number | undefined }
  | { readonly kind: 'limit'; readonly what: 'time' | 'memory' | 'processes' | 'result' }
  /** Its process ended before the script did. */
  | { readonly kind: 'lost'; readonly how: string }
  /** The abort ended it. */
  | { readonly kind: 'stopped' };

export interface ScriptRun {
  readonly end: ScriptEnd;
  readonly output: ScriptOutput;
  /** What it wrote to standard error. */
  readonly errors: ScriptOutput;
  /** `3.12`. */
  readonly version: string;
  /** Whether the system kept it out of the network, and let it write only to folders of its own. */
  readonly hasNoNetwork: boolean;
  readonly hasOwnFiles: boolean;
}

/** Runs Python scripts. Only the person who starts Millrace on this machine can create one: no pipeline, test or seed can. */
export interface Python {
  /**
   * Throws PythonUnavailable. The abort ends the script and all processes that it started; the result is undefined if
   * the abort comes before the script begins.
   */
  run(job: ScriptJob, signal: AbortSignal): Promise<ScriptRun | undefined>;
}

/**
 * The error that a script failed. The place is the line that caused it, if the script is written in the file of the
 * pipeline.
 */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';

  constructor(message: string, { file, line, column }: Place) {
    super(`${file}:${line}:${column}: ${message}`);
  }
}

/** The error that no Python interpreter was found that can run scripts. */
export class PythonUnavailable extends Error {
  override readonly name = 'PythonUnavailable';
}
