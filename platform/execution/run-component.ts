import type { Component } from '../../lib/pipelines/component.ts';
import { decide } from './decide.ts';
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

type Act = (
  component: Component,
  frame: Frame,
  run: RunComponent,
  scripted: ScriptedOutcome | undefined,
) => Result | Promise<Result>;

const steer: Act = () => success('');
const endInFailure: Act = () => failure('the branch ended in this end-failure component');

/** What is really done. Every other type touches something outside and is simulated. */
const acts: ReadonlyMap<string, Act> = new Map([
  ['start', steer],
  ['and', steer],
  ['or', steer],
  ['end-success', steer],
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

/** Components between two breaths. */
const breathEvery = 100;

const stepStatuses = { success: 'SUCCESS', failure: 'FAILED', stopped: 'CANCELLED' } as const;

/** Runs one component and keeps its step. */
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
        // Nothing that a file holds comes here: a store that cannot be read, or a fault of ours. All branches end.
        endAll(run, `The local platform itself failed at "${name}": ${reasonOf(error)}.`),
      );
  const status: StepStatus = skipped ? 'SKIPPED' : stepStatuses[result.status];
  run.log.end(step, status, result.message);
  return result;
}

async function perform(component: Component, frame: Frame): Promise<Result> {
  const { run, document, variables } = frame;
  const unknown = leavesReferences(component)
    ? undefined
    : undefinedVariable(component.node('parameters'), variables);
  if (unknown !== undefined) return failure(`the variable "${unknown}" is not defined`);
  const scripted = run.script.take(document.path, component.name, run.request.environment);
  // In a transformation nothing steers, whatever the type says.
  const act = document.kind === 'orchestration' ? acts.get(component.type) : undefined;
  if (act === undefined || isFinal(scripted)) return simulate(frame, scripted);
  // The script says only how long it takes or what it finds; the rest is done.
  if (scripted?.after !== undefined && !(await pass(frame, scripted.after))) return stopped;
  const refusal = setVariables(frame, scripted);
  return refusal === undefined ? act(component, frame, runComponent, scripted) : failure(refusal);
}

/** Whether the script settles how a component ends, so that nothing in it is done. */
function isFinal(scripted: ScriptedOutcome | undefined): boolean {
  if (scripted?.outcome === undefined) return false;
  const finds = scripted.rows !== undefined || scripted.condition !== undefined;
  return scripted.outcome === 'failure' || !finds;
}

/** Scripts of languages that use `${…}` themselves: a name that no variable bears is theirs. */
function leavesReferences({ type }: Component): boolean {
  return type.startsWith('python-') || type.startsWith('bash-');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason';
}
