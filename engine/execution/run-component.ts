import type { Component } from '../../lib/pipelines/component.ts';
import type { StepStatus } from './execution-state.ts';
import { undefinedVariable } from './resolve-text.ts';
import {
  endAll,
  failure,
  type Frame,
  isStopped,
  type Result,
  type RunComponent,
  stopped,
  success,
} from './run.ts';
import { runCall } from './run-call.ts';
import { runIterator } from './run-iterator.ts';
import { runRetry } from './run-retry.ts';
import type { ScriptedOutcome } from './scripted-outcome.ts';
import { breathe, pass, setVariables, simulate } from './simulate.ts';
import { appendToGrid, printVariables, updateScalars } from './variable-components.ts';
import { evaluateCondition } from './evaluate-condition.ts';

type Act = (
  component: Component,
  frame: Frame,
  run: RunComponent,
  scripted: ScriptedOutcome | undefined,
) => Result | Promise<Result>;

const passThrough: Act = () => success('');
const endInFailure: Act = () => failure('the branch ended in this end-failure component');

/** The component types that are executed. Every other type uses something outside and is simulated. */
const acts: ReadonlyMap<string, Act> = new Map([
  ['start', passThrough],
  ['and', passThrough],
  ['or', passThrough],
  ['end-success', passThrough],
  ['end-failure', endInFailure],
  ['if', decide],
  ['retry', runRetry],
  ['fixed-iterator', runIterator],
  ['loop-iterator', runIterator],
  ['grid-iterator', runIterator],
  ['table-iterator', runIterator],
  ['file-iterator', runIterator],
  ['run-orchestration', runCall],
  ['run-transformation', runCall],
  ['run-shared-pipeline', runCall],
  ['update-scalar', updateScalars],
  ['append-to-grid', appendToGrid],
  ['print-variables', printVariables],
]);

/** Number of components between two yields. */
const breathEvery = 100;

const stepStatuses = { success: 'SUCCESS', failure: 'FAILED', stopped: 'CANCELLED' } as const;

/** Runs one component and records its step. */
export async function runComponent(component: Component, frame: Frame): Promise<Result> {
  const { run, document, iteration } = frame;
  if (isStopped(frame)) return stopped;
  const { name, type, skipped } = component;
  run.components += 1;
  if (run.components > run.limits.steps) {
    const last = `the last was "${name}" of pipeline "${document.path}"`;
    return endAll(run, `More than ${run.limits.steps} components ran; ${last}.`);
  }
  if (run.components % breathEvery === 0 && !(await breathe(frame))) return stopped;
  const step = run.log.begin({
    parent: frame.step,
    pipeline: document.path,
    component: name,
    type,
    iteration,
  });
  const result = skipped
    ? success('Skipped: passed through as success.')
    : await perform(component, { ...frame, step }).catch((error: unknown) =>
        // No pipeline file can cause this: the store cannot be read, or this code has an error. End all branches.
        endAll(run, `The local platform itself failed at "${name}": ${reasonOf(error)}.`),
      );
  const status: StepStatus = skipped ? 'SKIPPED' : stepStatuses[result.status];
  run.log.end(step, status, result.message);
  if (result.status !== 'failure' || result.failed !== undefined) return result;
  const failed = { pipeline: document.path, component: name, message: result.message };
  run.failures.push(failed);
  return { ...result, failed };
}

async function perform(component: Component, frame: Frame): Promise<Result> {
  const { run, document, variables } = frame;
  const unknown = leavesReferences(component)
    ? undefined
    : undefinedVariable(component.node('parameters'), variables);
  if (unknown !== undefined) return failure(`the variable "${unknown}" is not defined`);
  const scripted = run.script.take(document.path, component.name, run.request.environment);
  // A transformation has no control components, regardless of the type.
  const act = document.kind === 'orchestration' ? acts.get(component.type) : undefined;
  if (act === undefined || isFinal(scripted)) return simulate(frame, scripted);
  // The script only sets duration or rows; the component is executed.
  if (scripted?.after !== undefined && !(await pass(frame, scripted.after))) return stopped;
  const refusal = setVariables(frame, scripted);
  return refusal === undefined ? act(component, frame, runComponent, scripted) : failure(refusal);
}

/** Whether the script decides the result of a component, so that it is not executed. */
function isFinal(scripted: ScriptedOutcome | undefined): boolean {
  if (scripted?.outcome === undefined) return false;
  const finds = scripted.rows !== undefined || scripted.condition !== undefined;
  return scripted.outcome === 'failure' || !finds;
}

/** Scripts in languages that use `${…}` themselves: an unknown name belongs to the script. */
function leavesReferences({ type }: Component): boolean {
  return type.startsWith('python-') || type.startsWith('bash-');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason';
}

/** Decides an `if`: by the script, else by its condition, else true with a note in the message. */
function decide(
  component: Component,
  frame: Frame,
  _run: RunComponent,
  scripted: ScriptedOutcome | undefined,
): Result {
  if (scripted?.condition !== undefined) return answer(scripted.condition, scripted.message ?? '(scripted)');
  const evaluated = evaluateCondition(component, frame.variables);
  if (evaluated === undefined) {
    frame.run.assumed.add(`"${component.name}" of "${frame.document.path}"`);
    return answer(true, '(assumed: it cannot be evaluated here)');
  }
  if ('undefinedName' in evaluated)
    return failure(`the variable "${evaluated.undefinedName}" is not defined`);
  return answer(evaluated.answer, '');
}

function answer(condition: boolean, note: string): Result {
  return { status: 'success', message: `Condition is ${condition} ${note}`.trim(), condition };
}
