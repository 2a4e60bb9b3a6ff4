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

/** The state that all pipelines and components of one execution share. */
export interface Run {
  readonly request: ExecutionRequest;
  readonly limits: ExecutionLimits;
  readonly script: Script;
  readonly log: StepLog;
  readonly project: ReadonlyMap<string, Cell>;
  /** Aborts when running components must stop at once. */
  readonly forced: AbortSignal;
  /** What components run with. Undefined if components are simulated. */
  engine: EngineSettings | undefined;
  /** Whether no new component may start. */
  stopping: boolean;
  /**
   * The reason why the whole execution must end as FAILED, even if failure branches exist. Undefined if there is
   * none.
   */
  fatal: string | undefined;
  /** The number of components that have run so far. */
  components: number;
  /** All components that have failed, in the order of their failures. */
  readonly failures: FailedComponent[];
  readonly repairs: Repairs;
  /** The paths of the pipelines that were requested or called so far, without the paths of shared pipelines. */
  readonly called: Set<string>;
  /** The variables of the requested pipeline, after it has started. */
  variables: Variables | undefined;
  /** The conditions that the engine could not evaluate and counted as true. */
  readonly assumed: Set<string>;
  /** The number of components that mocks have replaced so far. */
  mocked: number;
  /** Parses a published file. Each file of a version is parsed only once. */
  read(published: PublishedFiles, path: string): PipelineDocument | undefined;
}

/** One execution of a pipeline, or one iteration of an iterator in a pipeline. */
export interface Frame {
  readonly run: Run;
  readonly published: PublishedFiles;
  readonly document: PipelineDocument;
  readonly variables: Variables;
  /** The paths of the chain of calls. The path of this pipeline is the last one. */
  readonly chain: readonly string[];
  /** The nesting depth of pipelines and iterators, including this pipeline. */
  readonly depth: number;
  /** The number of the step that called this pipeline or repeats its component. Null at the top level. */
  readonly step: number | null;
  readonly iteration: StepIteration | null;
  /** `failed` is set when a component of this pipeline has failed and no branch handles the failure. */
  readonly end: { failed: boolean };
  readonly parent: Frame | undefined;
  /** The open transformation, if this frame runs one on a warehouse. */
  readonly transformation: OpenTransformation | undefined;
}

export interface OpenTransformation {
  readonly transformation: Transformation;
  /** The numbers of the steps of components that have run, by the name of the component. */
  readonly steps: Map<string, number>;
}

/** One run of a component, in which the parameters of the component are read. */
export interface ComponentFrame extends Frame {
  /** The time when the component started, in milliseconds since the epoch. */
  readonly now: number;
  readonly reader: ParameterReader;
}

export interface Result {
  /** The outcome. `stopped`: the component was ended by a termination, or because the pipeline failed elsewhere. */
  readonly status: 'success' | 'failure' | 'stopped';
  readonly message: string;
  /** For a failure in a called pipeline: a sentence that names the component and the pipeline in which it began. */
  readonly origin?: string | undefined;
  /** The component that caused the failure. */
  readonly failed?: FailedComponent | undefined;
  /** The position in the files of the project at which the component failed. */
  readonly place?: Place | undefined;
  /** The SQL that failed. */
  readonly sql?: FailedSql | undefined;
  /** What the engine refused, if the component failed for that reason. */
  readonly refusal?: RefusedConstruct | undefined;
  /** The mistake in the component's mock, if the component failed because of it. */
  readonly mockFault?: MockFault | undefined;
  /** The result of the condition of an `if`. */
  readonly condition?: boolean;
  readonly details?: StepDetails | undefined;
  /** The variables of the called pipeline after its end. */
  readonly called?: ReadonlyMap<string, Readonly<Cell>> | undefined;
  /** True if the component itself did nothing, because it was simulated or replaced by a mock. */
  readonly isReplaced?: true;
}

/**
 * A function that runs a component of a pipeline to its end. It is passed as a parameter, because an import would
 * create a cycle.
 */
export type RunComponent = (component: Component, frame: Frame) => Promise<Result>;

/** Whether the execution or the pipeline is ending, so that no new component may start. */
export function isStopped(frame: Frame): boolean {
  if (frame.run.stopping || frame.run.fatal !== undefined) return true;
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) if (at.end.failed) return true;
  return false;
}

/** Ends the whole execution with a reason. If it is called several times, the first reason is reported. */
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

/** The message about a failed component. */
export function failureOf(component: string, pipeline: string, message: string): string {
  return `Component "${component}" of pipeline "${pipeline}" failed: ${message}`;
}
