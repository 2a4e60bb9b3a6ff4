import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { flowTypes } from '../../../lib/pipelines/model/component-types.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { checkParameters } from '../../components/check-parameters.ts';
import { Refusal } from '../../core/refusal.ts';
import { parametersOf } from '../../orchestration/components/task-types.ts';
import type { Mock } from '../../orchestration/mocks/mock.ts';
import { yamlText } from '../../orchestration/task/yaml-text.ts';
import { checkTexts } from '../simulate/check-texts.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import type { FailedComponent, StepStatus } from '../run/execution-state.ts';
import { failureOfError } from '../run/failure-of-error.ts';
import { mockOf } from './find-mock.ts';
import { flowParameters } from './flow-parameters.ts';
import { isRepaired } from './repair-component.ts';
import { passesUnmocked } from './passes-unmocked.ts';
import {
  type ComponentFrame,
  endAll,
  failure,
  type Frame,
  isStopped,
  type Result,
  type RunComponent,
  stopped,
  success,
} from '../run/run.ts';
import { runCall } from './run-call.ts';
import { runIterator } from './run-iterator.ts';
import { runRetry } from './run-retry.ts';
import { runMock, runOnWarehouse } from './run-task.ts';
import { runTransformed } from './run-transformation.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';
import { yieldToOthers, sleepFor, setVariables, simulate } from '../simulate/simulate.ts';
import { componentReader, resultReader } from '../run/system-variables.ts';
import { appendToGrid, printVariables, removeFromGrid, updateScalars } from './variable-components.ts';
import { childOf, isEmpty } from '../../../lib/yaml/yaml-node.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { readRows, refuseOtherKeys, refuseOtherThanPair } from '../../parameters/read-rows.ts';

type Act = (
  component: Component,
  frame: ComponentFrame,
  run: RunComponent,
  scripted: ScriptedOutcome | undefined,
) => Result | Promise<Result>;

const passThrough: Act = () => success('');
const endInFailure: Act = () => failure('the branch ended in this end-failure component');

/** The component types that are always executed. Every other type needs a warehouse, or is simulated. */
const actOf: Readonly<Record<(typeof flowTypes)[number], Act>> = {
  start: passThrough,
  and: passThrough,
  or: passThrough,
  'end-success': passThrough,
  'end-failure': endInFailure,
  if: decide,
  retry: runRetry,
  'fixed-iterator': runIterator,
  'loop-iterator': runIterator,
  'grid-iterator': runIterator,
  'table-iterator': runIterator,
  'file-iterator': runIterator,
  'run-orchestration': runCall,
  'run-transformation': runCall,
  'run-shared-pipeline': runCall,
  'update-scalar': updateScalars,
  'append-to-grid': appendToGrid,
  'remove-from-grid': removeFromGrid,
  'print-variables': printVariables,
};

const acts: ReadonlyMap<string, Act> = new Map(Object.entries(actOf));

/** Number of components between two yields. */
const yieldEvery = 100;

const stepStatuses = { success: 'SUCCESS', failure: 'FAILED', stopped: 'CANCELLED' } as const;

/** Runs one component, and records its step. */
export async function runComponent(component: Component, frame: Frame): Promise<Result> {
  const { run, document, iteration } = frame;
  if (isStopped(frame)) return stopped;
  const { name, type, skipped } = component;
  run.components += 1;
  if (run.components > run.limits.steps) {
    const last = `the last one was "${name}" of the pipeline "${document.path}"`;
    return endAll(run, `More than ${run.limits.steps} components ran, the limit of an execution; ${last}.`);
  }
  if (run.components % yieldEvery === 0 && !(await yieldToOthers(frame))) return stopped;
  const step = run.log.begin({
    parent: frame.step,
    pipeline: document.path,
    component: name,
    type,
    iteration,
  });
  const ended = skipped
    ? success('Skipped. The pipeline continues as if the component had succeeded.')
    : await performRepaired(component, { ...frame, step }).catch((error: unknown) =>
        // No pipeline file can cause this: the store cannot be read, or this code has an error. End all branches.
        endAll(run, `Millrace failed at "${name}" because of an internal error: ${messageOf(error)}.`),
      );
  const result = withSeedHint(ended, component, frame);
  // The warehouse can be stopped by its owner too: the execution must not end as if nothing was missing.
  if (result.status === 'stopped' && !isStopped(frame)) endAll(run, 'The warehouse was stopped.');
  const status: StepStatus = skipped ? 'SKIPPED' : stepStatuses[result.status];
  run.log.end(step, status, result.message, result.details);
  if (result.status !== 'failure' || result.failed !== undefined) return result;
  const failed = failedComponent(component, frame, result);
  run.failures.push(failed);
  return passesUnmocked(frame, result) && frame.transformation === undefined
    ? success('')
    : { ...result, failed };
}

/** The local platform has no mocks, which belong to tests: there, the seed gives the result of a component that cannot run. */
function withSeedHint(result: Result, { name }: Component, { run, document }: Frame): Result {
  if (run.engine === undefined || run.engine.mocks !== undefined) return result;
  const entry = `{ pipeline: ${yamlText(withoutSuffix(document.path))}, component: ${yamlText(name)}, outcome: success }`;
  const advice = `define its result in the seed of the local platform: executions: [${entry}]`;
  const { refusal } = result;
  const hint = refusal?.hint;
  if (refusal === undefined || hint === undefined) {
    // Python's advice is in its message, before what the script has printed.
    const message = result.message.replace(/(?<=(?:, or|:) )mock the component(?=$|\n)/, () => advice);
    return { ...result, message };
  }
  const seedHint = hint.replace(/mock the component\b[^]*$/, () => advice);
  const message = result.message.replace(hint, () => seedHint);
  return { ...result, message, refusal: { ...refusal, hint: seedHint } };
}

/** Runs a component again as often as what it lacked can be created. A transformation is repaired as a whole. */
async function performRepaired(component: Component, frame: Frame): Promise<Result> {
  const { run } = frame;
  for (;;) {
    const since = run.repairs.count;
    const now = run.request.clock.now();
    const result = await perform(component, { ...frame, now, reader: componentReader(frame, now) });
    if (result.status !== 'failure' || result.failed !== undefined) return result;
    if (frame.transformation !== undefined || isStopped(frame)) return result;
    if (!(await isRepaired(failedComponent(component, frame, result), frame, since))) return result;
  }
}

function failedComponent(
  { name }: Component,
  { document }: Frame,
  { message, place, sql, refusal, mockFault }: Result,
): FailedComponent {
  return { pipeline: document.path, component: name, message, place, sql, refusal, mockFault };
}

async function perform(component: Component, frame: ComponentFrame): Promise<Result> {
  try {
    return await choose(component, frame);
  } catch (error) {
    return failureOfError(error);
  }
}

/** Decides what a component does: its script applies, else its mock, else it runs itself. */
async function choose(component: Component, frame: ComponentFrame): Promise<Result> {
  const { run, document, transformation } = frame;
  if (run.engine === undefined) checkTexts(component, frame.reader);
  const scripted = run.script.take(document.path, component.name, run.request.environment);
  if (isFinal(scripted)) return simulate(frame, scripted);
  const mock = mockOf(component, frame);
  if (mock !== undefined) return runMocked(component, frame, mock);
  // A transformation has no control components, regardless of the type.
  if (transformation !== undefined) return runTransformed(component, frame, transformation);
  const act = document.kind === 'orchestration' ? acts.get(component.type) : undefined;
  if (act === undefined && run.engine === undefined) return simulate(frame, scripted);
  if (act !== undefined && run.engine !== undefined) checkFlowParameters(component, frame);
  // The script only sets duration or rows; the component is executed.
  if (scripted?.after !== undefined && !(await sleepFor(frame, scripted.after))) return stopped;
  const refusal = setVariables(frame, scripted);
  if (refusal !== undefined) return failure(refusal);
  const result = await (act ?? runOnWarehouse)(component, frame, runComponent, scripted);
  return postProcess(component, frame, result);
}

/** Refuses a parameter that a component of the walk would ignore, such as a misspelt one. */
function checkFlowParameters(component: Component, { reader }: ComponentFrame): void {
  const parameters = flowParameters.get(component.type);
  if (parameters !== undefined)
    checkParameters({ parameters: parametersOf(component), reader }, { parameters });
}

/** Replaces a component by its mock. An iterator whose mock has rows runs its rounds. */
async function runMocked(component: Component, frame: ComponentFrame, mock: Mock): Promise<Result> {
  const { transformation } = frame;
  const fails = mock.outcome === 'failure';
  if (!fails && mock.output !== undefined && transformation !== undefined) {
    frame.run.mocked += 1;
    return runTransformed(component, frame, transformation);
  }
  const isIterator = frame.document.kind === 'orchestration' && component.type.endsWith('-iterator');
  if (!isIterator || fails || mock.rows === undefined) {
    const result = await runMock(component, frame, mock);
    if (component.type !== 'if' || result.status !== 'success') return result;
    if (mock.condition === undefined)
      return failure('the mock of an `if` needs the key `condition`, with true or false');
    return { ...result, ...answer(mock.condition, '(mocked)') };
  }
  const { rows: _, ...effects } = mock;
  const result = await runMock(component, frame, effects);
  return result.status === 'success' ? runIterator(component, frame, runComponent, undefined) : result;
}

/** Whether the script decides the result of a component, so that it is not executed. */
function isFinal(scripted: ScriptedOutcome | undefined): boolean {
  if (scripted?.outcome === undefined) return false;
  const finds = scripted.rows !== undefined || scripted.condition !== undefined;
  return scripted.outcome === 'failure' || !finds;
}

/** Decides an `if`: by the script, else by its condition. Simulated, an unsupported condition counts as true. */
function decide(
  component: Component,
  frame: ComponentFrame,
  _run: RunComponent,
  scripted: ScriptedOutcome | undefined,
): Result {
  if (scripted?.condition !== undefined) return answer(scripted.condition, scripted.message ?? '(scripted)');
  try {
    return answer(evaluateCondition(component, frame), '');
  } catch (error) {
    if (!(error instanceof Refusal) || frame.run.engine !== undefined) throw error;
    frame.run.assumed.add(`"${component.name}" of "${frame.document.path}"`);
    return answer(true, '(assumed, because the engine cannot evaluate it)');
  }
}

function answer(condition: boolean, note: string): Result {
  return { status: 'success', message: `Condition is ${condition} ${note}`.trim(), condition };
}

const postProcessingKeys = ['updateOutputMessage', 'updateScalarVariables', 'updateGridVariables'];

/**
 * What a component does after its success: sets variables, and replaces the message of its step. Throws
 * ParameterError and Refusal.
 */
function postProcess(component: Component, frame: ComponentFrame, result: Result): Result {
  const node = component.node('postProcessing');
  if (isEmpty(node) || result.status !== 'success' || result.isReplaced === true) return result;
  const reader = resultReader(frame, frame.now, result);
  if (frame.run.engine !== undefined) refuseOtherKeys(node, 'postProcessing', postProcessingKeys, reader);
  const grids = childOf(node, 'updateGridVariables');
  if (grids !== undefined && !isEmpty(grids)) {
    throw new Refusal('`updateGridVariables` after a component', placeOfNode(grids, reader));
  }
  for (const row of readRows(childOf(node, 'updateScalarVariables'), reader)) {
    if (frame.run.engine !== undefined) refuseOtherThanPair(row);
    const { cells } = row;
    const refusal = frame.variables.set(cells[0]?.text ?? '', cells[1]?.text ?? '');
    if (refusal !== undefined) return failure(refusal);
  }
  const message = readText(childOf(node, 'updateOutputMessage'), reader)?.text;
  return message === undefined ? result : { ...result, message };
}
