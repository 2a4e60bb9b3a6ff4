import type { Grid } from '../../lib/pipelines/model/grid.ts';
import type { Place } from '../core/refusal.ts';

/** A variable that a Python script can read as a global variable, and can set with `context`. */
export interface ScriptVariable {
  readonly name: string;
  /** The type. A NUMBER is passed as a text with all its digits, which is empty if the variable has no value. */
  readonly type: 'TEXT' | 'NUMBER' | 'GRID';
  /** The columns of a grid. */
  readonly columns: readonly string[];
  readonly value: string | Grid;
}

/** A Python script to run, with everything that it receives. */
export interface ScriptJob {
  readonly text: string;
  readonly variables: readonly ScriptVariable[];
  /** Whether the name `session` exists in the script. */
  readonly hasSession: boolean;
  readonly timeoutMs: number;
}

/** The output that a script wrote, cut at the limit. */
export interface ScriptOutput {
  readonly text: string;
  /** The number of characters that were cut. */
  readonly omitted: number;
}

/**
 * How a script ended. The first line of the script is 1. The line is undefined if no line of the script is the cause.
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
  /** The script did not run: this system cannot limit its processes, or only root can read its interpreter. */
  | { readonly kind: 'unsafe'; readonly why: 'unbounded' | 'unreadable' }
  /** The script used something that the engine does not support. */
  | { readonly kind: 'refused'; readonly construct: string; readonly line: number | undefined }
  | { readonly kind: 'limit'; readonly what: 'time' | 'memory' | 'processes' | 'result' }
  /** The process of the script ended before the script did. */
  | { readonly kind: 'lost'; readonly how: string }
  /** The script was cancelled. */
  | { readonly kind: 'stopped' };

export interface ScriptRun {
  readonly end: ScriptEnd;
  readonly output: ScriptOutput;
  /** The output to standard error. */
  readonly errors: ScriptOutput;
  /** The version of Python, such as `3.12`. */
  readonly version: string;
  /** Whether the system denied the script access to the network, and allowed it to write only to its own folders. */
  readonly hasNoNetwork: boolean;
  readonly hasOwnFiles: boolean;
}

/**
 * Runs Python scripts. Only the user who starts Millrace on this machine can create a runner. A pipeline, a test or a
 * seed cannot.
 */
export interface Python {
  /**
   * Runs a script. If the signal aborts, the script and all processes that it started are ended. Undefined if the
   * signal aborts before the script begins. Throws PythonUnavailable.
   */
  run(job: ScriptJob, signal: AbortSignal): Promise<ScriptRun | undefined>;
}

/**
 * Thrown if a script failed. The position is the line that caused the failure, if the script is in the pipeline file.
 */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';

  constructor(message: string, { file, line, column }: Place) {
    super(`${file}:${line}:${column}: ${message}`);
  }
}

/** Thrown if no Python interpreter was found that can run scripts. */
export class PythonUnavailable extends Error {
  override readonly name = 'PythonUnavailable';
}
