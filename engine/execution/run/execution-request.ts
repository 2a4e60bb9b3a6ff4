import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { CallRoots } from '../../../lib/pipelines/model/call-root.ts';
import type { OwnSharedPipelines } from '../../../lib/pipelines/model/shared-pipelines.ts';
import type { PipelineVariable } from '../../parameters/expression-scope.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { ExecutionState, FailedComponent } from './execution-state.ts';
import type { Script, ScriptedOutcome } from './scripted-outcome.ts';

/**
 * A project variable with its value in the environment: the value that the environment sets, otherwise the project's
 * default.
 */
export interface ProjectVariable {
  /** The type: `TEXT` or `NUMBER`. */
  readonly type: string;
  /**
   * The behaviour: `SHARED` (one value for the whole execution) or `COPIED` (a separate value for each pipeline and
   * iteration).
   */
  readonly behaviour: string;
  readonly value: string | number;
}

/** The files that were published together: a version of the artifact of a project or of a shared project. */
export interface PublishedFiles {
  /**
   * Returns the text of a file by its path. Undefined if the version does not have the file. Throws SqlError with the
   * position if the file is not valid text.
   */
  readonly files: (path: string) => string | undefined;
  readonly paths: readonly string[];
  /**
   * The folders from which the paths in calls are resolved. By default, the root of the published files, as on the
   * platform.
   */
  readonly callRoots?: CallRoots | undefined;
  /** Returns a pipeline that the caller has already parsed. By default, executions parse the text from `files`. */
  readonly parsed?: (path: string) => PipelineDocument | undefined;
}

/** A shared pipeline, which a component of the type `run-shared-pipeline` runs. */
export interface SharedPipeline extends PublishedFiles {
  /** The path of its pipeline file in `paths`. */
  readonly pipeline: string;
  readonly versionName: string;
}

/**
 * Finds a shared pipeline. `version` is the version as the file writes it; it may be `[Latest]`. Undefined if no such
 * pipeline was published.
 */
export type SharedPipelines = (prefix: string, id: string, version: string) => SharedPipeline | undefined;

/**
 * The limits of an execution. An execution that exceeds one of them ends as FAILED, with a message that names the
 * limit.
 */
export interface ExecutionLimits {
  /** Maximum nesting depth of pipelines and iterators. Default: 30. */
  readonly depth: number;
  /** Maximum number of components that run in total. Default: 10,000. */
  readonly steps: number;
  /** Maximum number of transitions to one component in one execution of its pipeline. Default: 100. */
  readonly repeats: number;
  /** Maximum number of iterations of one iterator. Default: 1,000. */
  readonly iterations: number;
  /** Maximum number of steps in the state. Default: 1,000. */
  readonly keptSteps: number;
}

export interface ExecutionRequest extends PublishedFiles {
  readonly id: string;
  /** The path of the pipeline, with or without its suffix (unknowns §2). */
  readonly pipeline: string;
  readonly environment: string;
  /** The value of `sysvar.project.id`. Default: an empty text. */
  readonly projectId?: string | undefined;
  readonly scalarVariables: Readonly<Record<string, string>>;
  readonly gridVariables: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly projectVariables: ReadonlyMap<string, ProjectVariable>;
  /**
   * The simulated results. A list counts how often they are used within this execution; a `Script` counts over all
   * executions that share it.
   */
  readonly script: readonly ScriptedOutcome[] | Script;
  /** How long a simulated component takes, in milliseconds by the injected clock. */
  readonly componentTimeMs: number;
  /** How long the execution stays QUEUED, in milliseconds. Default: 0. */
  readonly queueTimeMs?: number;
  readonly clock: Clock;
  /** Finds shared pipelines. Without it, components of the type `run-shared-pipeline` are simulated. */
  readonly shared?: SharedPipelines | undefined;
  /**
   * The shared pipelines that these files themselves publish. A call of the newest version of one of them runs it
   * from these files.
   */
  readonly ownShared?: OwnSharedPipelines | undefined;
  readonly limits?: Partial<ExecutionLimits>;
  /**
   * The warehouse and other settings with which components really run, or a function that opens them when the
   * execution starts. Without it, components are simulated.
   */
  readonly engine?: EngineSettings | (() => Promise<EngineSettings>) | undefined;
  /**
   * Called after each change of the state, in order, except for the first state QUEUED. `changed` says whether the
   * status changed or only a step, so that a store can write less often. If the function throws, the execution ends
   * as FAILED with that reason.
   */
  readonly onChange: (state: ExecutionState, changed: 'status' | 'step') => void;
}

export interface Execution {
  /**
   * Requests the termination of the execution. With `force`, running components are stopped at once; otherwise they
   * run to their end and no new component starts. A second request may add `force`. The request has no effect if the
   * execution has ended.
   */
  terminate(force: boolean): void;
  state(): ExecutionState;
  /** The current variables of the requested pipeline. Empty until the pipeline starts. */
  variables(): ReadonlyMap<string, PipelineVariable>;
  /**
   * All components that have failed so far, in the order of their failures. Includes failures that a branch handled.
   */
  failures(): readonly FailedComponent[];
  /**
   * The paths of the pipelines of this version that were requested or called so far, each once and in this order.
   * Includes pipelines that could not start, for example because of an error in the file.
   */
  called(): readonly string[];
  /** Resolves to the final state. Never rejects. */
  readonly ended: Promise<ExecutionState>;
}
