import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { RowsOutput } from '../../components/component-type.ts';
import { componentType } from '../../components/component-types.ts';
import { NeedsMock } from '../../components/needs-mock.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Column } from '../../core/relation.ts';
import { missingOutput } from '../../orchestration/mocks/missing-output.ts';
import { mockError } from '../../orchestration/mocks/mock.ts';
import { mockOutput } from '../../orchestration/mocks/mock-output.ts';
import { ComponentFailure, openTransformation } from '../../transformation/open-transformation.ts';
import type { FailedComponent } from '../run/execution-state.ts';
import { failureOfError } from '../run/failure-of-error.ts';
import { mockKey, mockOf } from './find-mock.ts';
import { isRepaired } from './repair-component.ts';
import { passesUnmocked } from './passes-unmocked.ts';
import {
  type ComponentFrame,
  failure,
  failureOf,
  type Frame,
  isStopped,
  type OpenTransformation,
  type Result,
  type RunComponent,
  success,
} from '../run/run.ts';
import { cycleMessage, sourceOrder } from './source-order.ts';
import { sqlDetails } from '../run/step-sql.ts';
import { componentReader } from '../run/system-variables.ts';

/**
 * Runs the components of a transformation one after another. A component runs after its sources. The first failure
 * ends the transformation. If something was missing and could be created, all components run again.
 */
export async function runTransformation(frame: Frame, runComponent: RunComponent): Promise<Result> {
  const { run } = frame;
  for (;;) {
    const since = run.repairs.count;
    const result = await runOnce(frame, runComponent);
    const { failed } = result;
    if (failed === undefined || result.status !== 'failure' || isStopped(frame)) return result;
    if (!(await isRepaired(failed, frame, since))) return result;
    run.failures.splice(run.failures.indexOf(failed), 1);
  }
}

async function runOnce(frame: Frame, runComponent: RunComponent): Promise<Result> {
  const { document } = frame;
  const sorted = sourceOrder(document);
  if ('cycle' in sorted) {
    const message = cycleMessage(document, sorted.cycle);
    return failure(message, message);
  }
  let opened: Frame;
  try {
    opened = { ...frame, transformation: open(frame) };
  } catch (error) {
    if (!(error instanceof ComponentFailure)) throw error;
    return failUnopened(error, frame);
  }
  let [rowsRead, rowsWritten]: readonly (number | undefined)[] = [];
  const unmocked = new Set<string>();
  for (const component of sorted.order) {
    if (component.sources.some((source) => unmocked.has(source))) {
      unmocked.add(component.name);
      continue;
    }
    const result = await runComponent(component, opened);
    if (result.status === 'success') {
      rowsRead = sum(rowsRead, result.details?.rowsRead);
      rowsWritten = sum(rowsWritten, result.details?.rowsWritten);
      continue;
    }
    if (result.status === 'stopped') return result;
    const { failed, message } = result;
    if (passesUnmocked(frame, result)) {
      unmocked.add(component.name);
      continue;
    }
    const origin = result.origin ?? failureOf(failed?.component ?? component.name, document.path, message);
    return failure(origin, origin, failed);
  }
  return { ...success(''), details: { rowsRead, rowsWritten } };
}

/** The failure of a component whose mock has a wrong output: without it, nothing can run. */
function failUnopened({ component, cause }: ComponentFailure, { run, document }: Frame): Result {
  const { message, mockFault } = failureOfError(cause);
  const failed: FailedComponent = { pipeline: document.path, component, message, mockFault };
  run.failures.push(failed);
  const origin = failureOf(component, document.path, message);
  return failure(origin, origin, failed);
}

/** Undefined if neither was counted. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

/** Undefined if everything is simulated. */
function open(frame: Frame): OpenTransformation | undefined {
  const { run, document } = frame;
  const { engine } = run;
  if (engine === undefined) return undefined;
  const now = run.request.clock.now();
  const transformation = openTransformation({
    document,
    warehouse: engine.warehouse,
    kind: engine.kind,
    defaults: engine.defaults,
    now,
    reader: componentReader(frame, now),
    outputs: outputsOf(frame, engine.kind),
    countsReads: engine.countsReads ?? false,
  });
  return { transformation, steps: new Map() };
}

/** Throws ComponentFailure with a MockError. */
function outputsOf(frame: Frame, kind: Parameters<typeof mockOutput>[1]): ReadonlyMap<string, RowsOutput> {
  const outputs = new Map<string, RowsOutput>();
  for (const component of frame.document.components.values()) {
    const output = mockOf(component, frame)?.output;
    if (output === undefined) continue;
    const { line, column } = component.range;
    try {
      outputs.set(component.name, mockOutput(output, kind, { file: frame.document.path, line, column }));
    } catch (error) {
      throw new ComponentFailure(component.name, mockError(error, { part: 'output' }));
    }
  }
  return outputs;
}

/**
 * Runs one component of a transformation. If an earlier component turns out to have caused a failure, the step of
 * that component fails too.
 */
export async function runTransformed(
  component: Component,
  frame: ComponentFrame,
  { transformation, steps }: OpenTransformation,
): Promise<Result> {
  if (frame.step !== null) steps.set(component.name, frame.step);
  if (componentType(component.type) === undefined && mockOf(component, frame)?.output === undefined) {
    const columns = component.sources.flatMap((name) => transformation.columnsOf(name) ?? []);
    throw withoutOutput(component, frame, columns);
  }
  try {
    const { message, notices, rowsRead, rowsWritten, sql } = await transformation.run(component);
    return { ...success(message), details: { rowsRead, rowsWritten, ...sqlDetails(sql), notices } };
  } catch (error) {
    if (!(error instanceof ComponentFailure)) return failureOfError(error);
    const { cause } = error;
    if (cause instanceof NeedsMock) return failureOfError(withoutOutput(component, frame, cause.columns));
    const result = failureOfError(cause);
    if (error.component === component.name || result.status !== 'failure') return result;
    return failEarlier(error.component, result, frame, steps);
  }
}

function withoutOutput(component: Component, frame: ComponentFrame, columns: readonly Column[]): Refusal {
  const { path, components } = frame.document;
  return missingOutput(component, {
    file: path,
    mockKey: mockKey(component, frame),
    kind: frame.run.engine?.kind ?? 'WAREHOUSE_ONE',
    columns,
    isRead: [...components.values()].some(({ sources }) => sources.includes(component.name)),
  });
}

function failEarlier(
  component: string,
  { message, place, sql, refusal, details }: Result,
  { run, document }: ComponentFrame,
  steps: ReadonlyMap<string, number>,
): Result {
  const failed: FailedComponent = { pipeline: document.path, component, message, place, sql, refusal };
  run.failures.push(failed);
  const step = steps.get(component);
  if (step !== undefined) run.log.end(step, 'FAILED', message, details);
  return {
    ...failure(`"${component}" failed: ${message}`, failureOf(component, document.path, message), failed),
    refusal,
  };
}
