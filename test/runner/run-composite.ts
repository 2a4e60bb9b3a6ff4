import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionManifest, CompositeStep } from './action-manifest.ts';
import { type ExpressionContext, interpolate, isDue, type Value } from './expression.ts';
import type { Job } from './job.ts';
import { withActionScripts } from './action-script.ts';

export interface CompositeOptions {
  readonly steps: readonly CompositeStep[];
  readonly outputs: ActionManifest['outputs'];
  readonly job: Job;
  readonly workspace: string;
  readonly temp: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly context: Readonly<Record<string, Value>>;
  readonly signal: AbortSignal;
}

export interface CompositeResult {
  readonly exitCode: number;
  readonly outputs: Readonly<Record<string, string>>;
  /** How each step ended, by its id or number. */
  readonly steps: Readonly<Record<string, string>>;
}

/** Runs the steps of a composite action one after the other, as the runner does. */
export async function runComposite(options: CompositeOptions): Promise<CompositeResult> {
  const { job, signal, temp } = options;
  const results: Record<string, Value> = {};
  const ends: Record<string, string> = {};
  let exitCode = 0;
  const context = (): ExpressionContext => ({
    values: { ...options.context, steps: results },
    functions: {
      success: () => exitCode === 0 && !signal.aborted,
      failure: () => exitCode !== 0 && !signal.aborted,
      always: () => true,
      cancelled: () => signal.aborted,
    },
  });
  for (const [index, step] of options.steps.entries()) {
    if (step.shell !== 'bash') throw new Error(`shell ${step.shell} is not known to this runner`);
    const key = step.id ?? String(index + 1);
    if (!isDue(String(step.if ?? 'success()'), context())) {
      results[key] = { outputs: new Map(), outcome: 'skipped', conclusion: 'skipped' };
      ends[key] = 'skipped';
      continue;
    }
    const script = join(temp, `step-${String(index + 1)}-${String(Date.now())}.sh`);
    await writeFile(script, withActionScripts(interpolate(step.run, context())));
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      interpolate(String(value), context()),
    ]);
    const result = await job.run({
      command: 'bash',
      args: ['--noprofile', '--norc', '-e', '-o', 'pipefail', script],
      cwd: join(options.workspace, step['working-directory'] ?? ''),
      env: { ...options.environment, ...job.added.variables, ...Object.fromEntries(own) },
    });
    const end = signal.aborted ? 'cancelled' : result.exitCode === 0 ? 'success' : 'failure';
    if (step['continue-on-error'] !== true && exitCode === 0) exitCode = result.exitCode;
    const conclusion = step['continue-on-error'] === true ? 'success' : end;
    results[key] = { outputs: new Map(Object.entries(result.outputs)), outcome: end, conclusion };
    ends[key] = end;
  }
  const outputs = Object.fromEntries(
    Object.entries(options.outputs).map(([name, { value = '' }]) => [name, interpolate(value, context())]),
  );
  return { exitCode, outputs, steps: ends };
}
