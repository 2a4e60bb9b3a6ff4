import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { CallRoots } from '../../../lib/pipelines/model/call-root.ts';
import type { OwnSharedPipelines } from '../../../lib/pipelines/model/shared-pipelines.ts';
import type { PipelineVariable } from '../../parameters/expression-scope.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { ExecutionState, FailedComponent } from './execution-state.ts';
import type { Script, ScriptedOutcome } from './scripted-outcome.ts';

/**
 * A project variable with its value in the environment. If the environment overrides the value, this is the
 * overriding value.
 */
export interface ProjectVariable {
  /** `TEXT` or `NUMBER`. */
  readonly type: string;
  /** `SHARED` (one value for the whole execution) or `COPIED` (one for each pipeline and iteration). */
  readonly behaviour: string;
  readonly value: string | number;
}

/** The files that were published together: a version of the artifact of a project or of a shared project. */
export interface PublishedFiles {
  /** A file's text by its path; `undefined` if the version does not have the file. Throws SqlError at the place that is not text. */
  readonly files: (path: string) => string | undefined;
  readonly paths: readonly string[];
  /** From which folder calls resolve. Without it, from the root of what was published, as on the platform. */
  readonly callRoots?: CallRoots | undefined;
  /** A pipeline that the caller has parsed already; without it, executions parse `files`. */
  readonly parsed?: (path: string) => PipelineDocument | undefined;
}

/** The shared pipeline that a component of the type `run-shared-pipeline` runs. */
export interface SharedPipeline extends PublishedFiles {
  /** Path of its source pipeline in `paths`. */
  readonly pipeline: string;
  readonly versionName: string;
}

/**
 * Finds a shared pipeline. `version` is as the file writes it, including `[Latest]`. Gives undefined if no such
 * pipeline was published.
 */
export type SharedPipelines = (prefix: string, id: string, version: string) => SharedPipeline | undefined;

/** The limits of an execution. An execution that exceeds a limit ends as FAILED with a message that names the limit. */
export interface ExecutionLimits {
  /** Maximum nesting of pipelines and iterators. Default 30. */
  readonly depth: number;
  /** Maximum number of components that run in total. Default 10,000. */
  readonly steps: number;
  /** Maximum number of transitions to one component in one execution of its pipeline. Default 100. */
  readonly repeats: number;
  /** Maximum number of iterations of one iterator. Default 1,000. */
  readonly iterations: number;
  /** Maximum number of steps in the state. Default 1,000. */
  readonly keptSteps: number;
}

export interface ExecutionRequest extends PublishedFiles {
  readonly id: string;
  /** Path, with or without suffix (unknowns §2). */
  readonly pipeline: string;
  readonly environment: string;
  /** For `sysvar.project.id`. Default: the empty text. */
  readonly projectId?: string | undefined;
  readonly scalarVariables: Readonly<Record<string, string>>;
  readonly gridVariables: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly projectVariables: ReadonlyMap<string, ProjectVariable>;
  /** A list counts uses within this execution; a `Script` counts them over all executions that share it. */
  readonly script: readonly ScriptedOutcome[] | Script;
  /** How long a simulated component takes, in milliseconds by the clock. */
  readonly componentTimeMs: number;
  /** How long the execution stays QUEUED, in milliseconds. Default 0. */
  readonly queueTimeMs?: number;
  readonly clock: Clock;
  /** Without it, a `run-shared-pipeline` is simulated. */
  readonly shared?: SharedPipelines | undefined;
  /** Shared pipelines among these files: a call of their newest version runs them as they are here. */
  readonly ownShared?: OwnSharedPipelines | undefined;
  readonly limits?: Partial<ExecutionLimits>;
  /**
   * What components really run on, or a function that opens it once the execution starts. Without it, components are
   * simulated.
   */
  readonly engine?: EngineSettings | (() => Promise<EngineSettings>) | undefined;
  /**
   * Called with every change after QUEUED, in order. `changed` says whether the status or only a step changed, so
   * that a store may write less often. If it throws, the execution ends FAILED with that reason.
   */
  readonly onChange: (state: ExecutionState, changed: 'status' | 'step') => void;
}

export interface Execution {
  /**
   * Requests the termination. `force` stops running components at once; otherwise they finish and no new one starts.
   * It has no effect on an execution that has ended. A second request may add `force`.
   */
  terminate(force: boolean): void;
  state(): ExecutionState;
  /** The variables of the requested pipeline as they are now; empty until it starts. */
  variables(): ReadonlyMap<string, PipelineVariable>;
  /** Every component that failed so far, in the order of the failures; also those that a branch handled. */
  failures(): readonly FailedComponent[];
  /**
   * Paths of the pipelines of this version that were to run so far: the requested one first, then those that it called,
   * each once. Includes pipelines that could not start, such as one with an error in its file.
   */
  called(): readonly string[];
  /** The terminal state; never rejects. */
  readonly ended: Promise<ExecutionState>;
}
