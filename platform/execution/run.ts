import type { Component } from '../../lib/pipelines/component.ts';
import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import type { ExecutionLimits, ExecutionRequest, PublishedFiles } from './execution-request.ts';
import type { StepIteration } from './execution-state.ts';
import type { Script } from './scripted-outcome.ts';
import type { StepLog } from './step-log.ts';
import type { Cell, Variables } from './variables.ts';

/** What one execution has once. */
export interface Run {
  readonly request: ExecutionRequest;
  readonly limits: ExecutionLimits;
  readonly script: Script;
  readonly log: StepLog;
  readonly project: ReadonlyMap<string, Cell>;
  /** Aborts when what runs must stop at once. */
  readonly forced: AbortSignal;
  /** Nothing new may start. */
  stopping: boolean;
  /** Why the whole execution must end FAILED, whatever failure branches there are. */
  fatal: string | undefined;
  /** Components run so far. */
  components: number;
  /** Conditions that could not be evaluated here. */
  readonly assumed: Set<string>;
  /** A published file as read, once for each version. */
  read(published: PublishedFiles, path: string): PipelineDocument | undefined;
}

/** One run of one pipeline, or one round of an iterator in it. */
export interface Frame {
  readonly run: Run;
  readonly published: PublishedFiles;
  readonly document: PipelineDocument;
  readonly variables: Variables;
  /** Paths of the pipelines that called each other to come here, this one last. */
  readonly chain: readonly string[];
  /** Pipelines and iterators around, this pipeline included. */
  readonly depth: number;
  /** The step that called or repeats; null at the top. */
  readonly step: number | null;
  readonly iteration: StepIteration | null;
  /** Set once a component of this pipeline failed and no branch takes the failure. */
  readonly end: { failed: boolean };
  readonly parent: Frame | undefined;
}

export interface Result {
  /** `stopped`: did not end by itself, because of a termination or because the pipeline had failed elsewhere. */
  readonly status: 'success' | 'failure' | 'stopped';
  readonly message: string;
  /** Where a failure began, as a sentence naming component and pipeline, where that is deeper than here. */
  readonly origin?: string | undefined;
  /** The answer of an `if`. */
  readonly condition?: boolean;
}

/** Runs one component of a pipeline to its end. Given to whoever repeats or calls, so that no file imports in a circle. */
export type RunComponent = (component: Component, frame: Frame) => Promise<Result>;

/** Whether nothing new may start here. */
export function isStopped(frame: Frame): boolean {
  if (frame.run.stopping || frame.run.fatal !== undefined) return true;
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) if (at.end.failed) return true;
  return false;
}

/** Ends the whole execution; the first reason counts. */
export function endAll(run: Run, reason: string): Result {
  run.fatal ??= reason;
  return { status: 'stopped', message: reason };
}

export const stopped: Result = { status: 'stopped', message: 'Stopped.' };

export function failure(message: string, origin?: string): Result {
  return { status: 'failure', message, origin };
}

export function success(message: string): Result {
  return { status: 'success', message };
}

/** How a message names a component that failed. */
export function failureOf(component: string, pipeline: string, message: string): string {
  return `Component "${component}" of pipeline "${pipeline}" failed: ${message}`;
}
