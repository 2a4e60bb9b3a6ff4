import type { Clock } from '../../lib/core/ports.ts';
import type { ExecutionState } from './execution-state.ts';
import type { Script, ScriptedOutcome } from './scripted-outcome.ts';

/** A project variable as it stands in the environment: the override, where there is one, is already the value. */
export interface ProjectVariable {
  /** `TEXT` or `NUMBER`. */
  readonly type: string;
  /** `SHARED` (one value for the whole execution) or `COPIED` (one for each pipeline and iteration). */
  readonly behaviour: string;
  readonly value: string | number;
}

/** The files that were published together: an artifact version, project or shared. */
export interface PublishedFiles {
  /** A file's text by its path; nothing where the version has no such file. */
  readonly files: (path: string) => string | undefined;
  readonly paths: readonly string[];
}

/** A shared pipeline that a `run-shared-pipeline` means. */
export interface SharedPipeline extends PublishedFiles {
  /** Path of its source pipeline in `paths`. */
  readonly pipeline: string;
  readonly versionName: string;
}

/** Finds a shared pipeline; `version` as written in the file, `[Latest]` included. Nothing where there is none to run. */
export type SharedPipelines = (prefix: string, id: string, version: string) => SharedPipeline | undefined;

/** Bounds on what a file can make an execution do; each ends it FAILED, naming what went too far. */
export interface ExecutionLimits {
  /** Pipelines in pipelines and iterators in iterators. Default 30. */
  readonly depth: number;
  /** Components run in all. Default 10,000. */
  readonly steps: number;
  /** How often transitions may lead to one component in one run of its pipeline. Default 100. */
  readonly repeats: number;
  /** Rounds of one iterator. Default 1,000. */
  readonly iterations: number;
  /** Steps that the state keeps. Default 1,000. */
  readonly keptSteps: number;
}

export interface ExecutionRequest extends PublishedFiles {
  readonly id: string;
  /** Path, with or without suffix (unknowns §2). */
  readonly pipeline: string;
  readonly environment: string;
  readonly scalarVariables: Readonly<Record<string, string>>;
  readonly gridVariables: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly projectVariables: ReadonlyMap<string, ProjectVariable>;
  /** A list counts within this execution; a `Script` over all executions that share it. */
  readonly script: readonly ScriptedOutcome[] | Script;
  /** How long a simulated component takes, in milliseconds by the clock. */
  readonly componentTimeMs: number;
  /** How long the execution stays QUEUED, in milliseconds. Default 0. */
  readonly queueTimeMs?: number;
  readonly clock: Clock;
  /** Without it, a `run-shared-pipeline` is simulated. */
  readonly shared?: SharedPipelines | undefined;
  readonly limits?: Partial<ExecutionLimits>;
  /**
   * Told of every change after QUEUED, in order. `changed` says whether the status moved or only a step, so that a
   * store may write less often. If it throws, the execution ends FAILED saying so.
   */
  readonly onChange: (state: ExecutionState, changed: 'status' | 'step') => void;
}

export interface Execution {
  /**
   * Asks for the end: `force` stops what runs at once, otherwise it runs to its end and nothing new starts. Nothing
   * happens to an execution that has ended; forcing after not forcing is allowed.
   */
  terminate(force: boolean): void;
  state(): ExecutionState;
  /** The terminal state; never rejects. */
  readonly ended: Promise<ExecutionState>;
}
