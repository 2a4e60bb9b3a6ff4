import { parseNumber, withoutBlanks } from '../../core/written-number.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { Refusal } from '../../core/refusal.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { parameterText } from '../run/parameter-text.ts';
import {
  type ComponentFrame,
  endAll,
  failure,
  type Result,
  type RunComponent,
  stopped,
  success,
} from '../run/run.ts';
import { sleepFor } from '../simulate/simulate.ts';

/** The number of retries if `numberOfRetries` is not set: a guess (docs/unknowns.md). */
const defaultRetries = 2;

/**
 * Runs the target of a retry component until it succeeds: once, and then at most as often as the number of retries.
 */
export async function runRetry(
  component: Component,
  frame: ComponentFrame,
  runComponent: RunComponent,
): Promise<Result> {
  const { limits } = frame.run;
  const target = frame.document.components.get(component.iterationTarget ?? '');
  if (target === undefined && frame.run.engine !== undefined)
    return failure(
      'the component has nothing to repeat: set `iterationTarget` to a component of this pipeline',
    );
  if (target === undefined)
    return success(
      'The retry has no component to repeat. The pipeline continues as if the retry had succeeded.',
    );
  if (frame.depth >= limits.depth) {
    return endAll(
      frame.run,
      `Components are nested more than ${limits.depth} levels deep at "${component.name}", which is the limit of the engine.`,
    );
  }
  const written = parameterText(component, 'numberOfRetries', frame);
  const retries = written === undefined ? defaultRetries : parseNumber(written);
  if (!Number.isInteger(retries) || retries < 0)
    return failure(`expected a number of retries for numberOfRetries, found "${written}"`);
  const delayMs = readDelay(component, frame);
  const attempts = Math.min(retries + 1, limits.iterations);
  for (let attempt = 1; ; attempt += 1) {
    const iteration = { iterator: component.name, index: attempt, variables: {} };
    const result = await runComponent(target, { ...frame, iteration, depth: frame.depth + 1 });
    if (result.status === 'success') return success(`Succeeded at attempt ${attempt}.`);
    if (result.status === 'stopped') return result;
    if (attempt >= attempts) {
      const times = attempts === 1 ? 'once' : `${attempts} times`;
      return failure(
        `"${target.name}" failed ${times}; the last error: ${result.message}`,
        result.origin,
        result.failed,
      );
    }
    if (!(await sleepFor(frame, delayMs))) return stopped;
  }
}

/** The pause before a retry: none, or a number of seconds. */
function readDelay(component: Component, { reader }: ComponentFrame): number {
  const node = component.parameter('retryDelay');
  const written = withoutBlanks(readText(node, reader)?.text ?? '');
  if (node === undefined || written === '' || written.toLowerCase() === 'retry immediately') return 0;
  if (/^\d+(?:\.\d+)?$/.test(written)) return Number(written) * 1_000;
  const hint = 'use Retry immediately or a number of seconds for retryDelay';
  throw new Refusal(`the delay "${written}" of a retry`, placeOfNode(node, reader), hint);
}
