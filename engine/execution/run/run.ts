import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { Place } from '../../core/refusal.ts';
import type { MockFault } from '../../orchestration/mocks/mock.ts';
import type { ParameterReader } from '../../parameters/parameter-reader.ts';
import type { Transformation } from '../../transformation/open-transformation.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { ExecutionLimits, ExecutionRequest, PublishedFiles } from './execution-request.ts';
import type { FailedComponent, FailedSql, RefusedConstruct, StepIteration } from './execution-state.ts';
import type { Script } from './scripted-outcome.ts';
import type { StepDetails, StepLog } from './step-log.ts';
import type { Cell, Variables } from './variables.ts';

/** How many repairs the components of an execution could use so far. */
interface Repairs {
  count: number;
  /** The last repair: components of several branches may fail at the same time. */
  last: Promise<unknown>;
}

/** What all pipelines and components of one execution share. */
export interface Run {
  readonly request: ExecutionRequest;
  readonly limits: ExecutionLimits;
  readonly script: Script;
  readonly log: StepLog;
  readonly project: ReadonlyMap<string, Cell>;
  /** Aborts when running components must stop at once. */
  readonly forced: AbortSignal;
  /** What components run on; undefined if they are simulated. */
  engine: EngineSettings | undefined;
  /** No new component may start. */
  stopping: boolean;
  /** Why the whole execution must end FAILED, regardless of failure branches. */
  fatal: string | undefined;
  /** Components run so far. */
  components: number;
  /** Every component that failed, in the order of the failures. */
  readonly failures: FailedComponent[];
  readonly repairs: Repairs;
  /** Paths of the pipelines that were to run so far, without the paths of shared pipelines. */
  readonly called: Set<string>;
  /** The variables of the requested pipeline, once it has started. */
  variables: Variables | undefined;
  /** Conditions that could not be evaluated here. */
  readonly assumed: Set<string>;
  /** Components that a mock replaced so far. */
  mocked: number;
  /** The parsed published files, one cache per version. */
  read(published: PublishedFiles, path: string): PipelineDocument | undefined;
}

/** One execution of a pipeline, or one iteration of an iterator in a pipeline. */
export interface Frame {
  readonly run: Run;
  readonly published: PublishedFiles;
  readonly document: PipelineDocument;
  readonly variables: Variables;
  /** Paths of the call chain, this pipeline last. */
  readonly chain: readonly string[];
  /** Nesting depth of pipelines and iterators, including this pipeline. */
  readonly depth: number;
  /** The step that called this pipeline or repeats its component; null at the top. */
  readonly step: number | null;
  readonly iteration: StepIteration | null;
  /** Set when a component of this pipeline has failed and no branch handles the failure. */
  readonly end: { failed: boolean };
  readonly parent: Frame | undefined;
  /** The transformation that this frame runs on a warehouse. */
  readonly transformation: OpenTransformation | undefined;
}

export interface OpenTransformation {
  readonly transformation: Transformation;
  /** The steps of its components that have run, by name. */
  readonly steps: Map<string, number>;
}

/** One execution of a component. It reads the parameters of the component. */
export interface ComponentFrame extends Frame {
  /** The time when the component started, in milliseconds since the epoch. */
  readonly now: number;
  readonly reader: ParameterReader;
}

export interface Result {
  /** `stopped`: ended by a termination, or because the pipeline failed elsewhere. */
  readonly status: 'success' | 'failure' | 'stopped';
  readonly message: string;
  /** The origin of a failure in a called pipeline, as a sentence with component and pipeline. */
  readonly origin?: string | undefined;
  /** The component that caused a failure. */
  readonly failed?: FailedComponent | undefined;
  /** The place in the project's files at which the component failed. */
  readonly place?: Place | undefined;
  /** The SQL that failed. */
  readonly sql?: FailedSql | undefined;
  /** What the engine refused, if the component failed for that reason. */
  readonly refusal?: RefusedConstruct | undefined;
  /** The fault of the component's mock, if the component failed for that reason. */
  readonly mockFault?: MockFault | undefined;
  /** The result of an `if`. */
  readonly condition?: boolean;
  readonly details?: StepDetails | undefined;
  /** The variables of the called pipeline, after its end. */
  readonly called?: ReadonlyMap<string, Readonly<Cell>> | undefined;
  /** The component did nothing itself: it was simulated, or a mock replaced it. */
  readonly isReplaced?: true;
}

/**
 * The type of the function that runs one component of a pipeline to its end. It is passed as a parameter, because
 * an import would be a cycle.
 */
export type RunComponent = (component: Component, frame: Frame) => Promise<Result>;

/** Whether the execution or the pipeline is ending, so that no new component may start. */
export function isStopped(frame: Frame): boolean {
  if (frame.run.stopping || frame.run.fatal !== undefined) return true;
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) if (at.end.failed) return true;
  return false;
}

/**
 * Ends the whole execution for a reason. If it is called several times, the first reason is the one that is
 * reported.
 */
export function endAll(run: Run, reason: string): Result {
  run.fatal ??= reason;
  return { status: 'stopped', message: reason };
}

export const stopped: Result = { status: 'stopped', message: 'Stopped.' };

export function failure(message: string, origin?: string, failed?: FailedComponent): Result {
  return { status: 'failure', message, origin, failed };
}

export function success(message: string): Result {
  return { status: 'success', message };
}

/** The message about a component that failed. */
export function failureOf(component: string, pipeline: string, message: string): string {
  return `Component "${component}" of pipeline "${pipeline}" failed: ${message}`;
}
