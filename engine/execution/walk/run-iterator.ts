import type { Component } from '../../../lib/pipelines/model/component.ts';
import { readYesNo } from '../../parameters/parameter-reader.ts';
import { iterationRounds, type Round } from './iteration-rows.ts';
import { parameterText } from '../run/parameter-text.ts';
import {
  type ComponentFrame,
  endAll,
  failure,
  failureOf,
  type Frame,
  isStopped,
  type Result,
  type RunComponent,
  stopped,
  success,
} from '../run/run.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';
import type { StepDetails } from '../run/step-log.ts';

/**
 * Runs the target of an iterator once for each iteration. The iterations run one after another or at the same time,
 * depending on `concurrency`. The transitions of the target are not followed. If an iteration fails, the iterator
 * fails too: at once with `breakOnFailure: Yes`, otherwise after all iterations.
 */
export async function runIterator(
  component: Component,
  frame: ComponentFrame,
  runComponent: RunComponent,
  scripted: ScriptedOutcome | undefined,
): Promise<Result> {
  const { run, document } = frame;
  const target = document.components.get(component.iterationTarget ?? '');
  if (target === undefined)
    return failure(
      'the component has nothing to repeat: set `iterationTarget` to a component of this pipeline',
    );
  if (frame.depth >= run.limits.depth) {
    return endAll(
      run,
      `Iterators and pipelines are nested more than ${run.limits.depth} levels deep at "${component.name}", which is the limit of the engine.`,
    );
  }
  let details: StepDetails | undefined;
  const show = (shown: StepDetails) => void (details = shown);
  const rounds = await iterationRounds(component, frame, scripted, run.limits.iterations, show);
  if (typeof rounds === 'string') return failure(rounds);
  if (rounds.length > run.limits.iterations) {
    return failure(
      `the iterator has more than ${run.limits.iterations} iterations, which is the limit of the engine`,
    );
  }

  const runRound = async (round: Round, index: number): Promise<Result> => {
    if (isStopped(frame)) return stopped;
    const inRound = frameOf(frame, component.name, round, index + 1);
    for (const [name, value] of Object.entries(round)) {
      const refusal = inRound.variables.set(name, value);
      if (refusal !== undefined) return failure(refusal);
    }
    return runComponent(target, inRound);
  };

  const results: Result[] = [];
  if (parameterText(component, 'concurrency', frame)?.trim().toLowerCase() === 'concurrent') {
    results.push(...(await Promise.all(rounds.map(runRound))));
  } else {
    const breaks = readYesNo(component.parameter('breakOnFailure'), frame.reader, false);
    for (const [index, round] of rounds.entries()) {
      const result = await runRound(round, index);
      results.push(result);
      if (result.status === 'stopped' || (breaks && result.status === 'failure')) break;
    }
  }
  return { ...summary(results, rounds, target, frame, scripted), details };
}

function frameOf(frame: Frame, iterator: string, variables: Round, index: number): Frame {
  return {
    ...frame,
    variables: frame.variables.fork(),
    iteration: { iterator, index, variables },
    depth: frame.depth + 1,
  };
}

function summary(
  results: readonly Result[],
  rounds: readonly Round[],
  target: Component,
  frame: Frame,
  scripted: ScriptedOutcome | undefined,
): Result {
  const at = results.findIndex(({ status }) => status === 'failure');
  const failed = results[at];
  if (failed !== undefined) {
    const values = Object.entries(rounds[at] ?? {}).map(([name, value]) => `${name}=${value}`);
    const where = `iteration ${at + 1} of ${rounds.length}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
    return failure(
      `${where} failed: ${failed.message}`,
      failed.origin ?? failureOf(target.name, frame.document.path, `${failed.message}, in ${where}`),
      failed.failed,
    );
  }
  if (results.some(({ status }) => status === 'stopped')) return stopped;
  return success(scripted?.message ?? `${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}.`);
}
