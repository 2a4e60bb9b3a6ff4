import type { Component } from '../../lib/pipelines/component.ts';
import { resolveText } from './resolve-text.ts';
import { endAll, failure, type Frame, type Result, type RunComponent, success } from './run.ts';

/** The parameter for the number of attempts is unknown (docs/unknowns.md); these are tried in this order. */
const attemptParameters = [
  'attempts',
  'maximumAttempts',
  'maxAttempts',
  'retries',
  'numberOfRetries',
  'retryCount',
];
const defaultAttempts = 3;

/** Runs the target until it succeeds, at most `attempts` times, without a pause. */
export async function runRetry(
  component: Component,
  frame: Frame,
  runComponent: RunComponent,
): Promise<Result> {
  const { limits } = frame.run;
  const target = frame.document.components.get(component.iterationTarget ?? '');
  if (target === undefined) return success('It has nothing to repeat; passed through.');
  if (frame.depth >= limits.depth) {
    return endAll(frame.run, `Components nest more than ${limits.depth} deep at "${component.name}".`);
  }
  const written = attemptParameters.map((name) => component.text(name)).find((text) => text !== undefined);
  const asked = written === undefined ? defaultAttempts : Number(resolveText(written, frame.variables).text);
  if (!Number.isInteger(asked) || asked < 1) return failure(`"${written}" is not a valid number of attempts`);
  const attempts = Math.min(asked, limits.iterations);
  for (let attempt = 1; ; attempt += 1) {
    const iteration = { iterator: component.name, index: attempt, variables: {} };
    const result = await runComponent(target, { ...frame, iteration, depth: frame.depth + 1 });
    if (result.status === 'success') return success(`Succeeded at attempt ${attempt}.`);
    if (result.status === 'stopped') return result;
    if (attempt >= attempts) {
      return failure(
        `"${target.name}" failed ${attempts} times; the last error: ${result.message}`,
        result.origin,
        result.failed,
      );
    }
  }
}
