import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import { z } from 'zod';
import { defaultEnvironment, githubContext } from './environment.ts';
import { type ExpressionContext, interpolate, isDue, type Value } from './expression.ts';
import { createJob } from './job.ts';
import { runAction, type RunOptions } from './run-action.ts';
import { runnerCancelTimes } from './step-process.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const textsByName = z.record(z.string(), scalar).default({});
const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      env: textsByName,
      strategy: z.object({ matrix: z.record(z.string(), z.array(scalar)) }).optional(),
      steps: z.array(
        z.strictObject({
          id: z.string().optional(),
          name: z.string().optional(),
          if: scalar.optional(),
          uses: z.string().optional(),
          with: textsByName,
          env: textsByName,
          run: z.string().optional(),
          // Scripts run in bash.
          shell: z.literal('bash').optional(),
        }),
      ),
    }),
  ),
});

export interface WorkflowJob extends Omit<RunOptions, 'path' | 'inputs' | 'onFinished'> {
  /** The workflow's file. */
  readonly file: string;
  readonly job: string;
  /** Inputs and secrets of a reusable workflow, with the defaults. */
  readonly called?: Readonly<Record<'inputs' | 'secrets', Readonly<Record<string, string>>>>;
  /** What `uses: ./…` and `uses: $/…` are relative to. */
  readonly root: string;
}

export interface WorkflowJobResult {
  /** Name or id → how it ended. Actions of others are not run: their work is the caller's. */
  readonly steps: Readonly<Record<string, 'success' | 'failure' | 'skipped'>>;
  readonly log: string;
}

/** Runs a job of a workflow, as far as its steps are scripts and actions by path; of a matrix, its first combination. */
export async function runWorkflowJob(options: WorkflowJob): Promise<WorkflowJobResult> {
  const { jobs } = workflow.parse(parse(await readFile(options.file, 'utf8')));
  const found = jobs[options.job];
  if (found === undefined) throw new Error(`no job ${options.job} in ${options.file}`);
  const { workspace, token = '', root } = options;
  const temp = await mkdtemp(join(tmpdir(), 'millrace-job-'));
  const signal = new AbortController().signal;
  const shell = createJob({
    workspace,
    temp,
    signal,
    cancelTimes: runnerCancelTimes,
    onLine: undefined,
    secrets: [],
  });
  const facts = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    ...defaultEnvironment(options, { workspace, temp, home: temp, eventPath: '' }),
    ...options.env,
  };
  const github = githubContext(facts, { token, actionPath: '' });
  const matrix = Object.fromEntries(
    Object.entries(found.strategy?.matrix ?? {}).map(([name, [first = '']]) => [name, first]),
  );
  const ended: Record<string, Value> = {};
  const steps: Record<string, 'success' | 'failure' | 'skipped'> = {};
  let failed = false;
  const context = (env: Readonly<Record<string, string>>): ExpressionContext => ({
    values: { github, matrix, steps: ended, env, ...options.called },
    functions: { success: () => !failed, failure: () => failed, always: () => true, cancelled: () => false },
  });
  const filled = (texts: Readonly<Record<string, string>>, within: ExpressionContext) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, interpolate(text, within)]));
  try {
    const ofJob = filled(found.env, context({}));
    for (const [index, step] of found.steps.entries()) {
      if (step.uses !== undefined && !/^[.$]\//u.test(step.uses)) continue;
      const key = step.id ?? step.name ?? String(index + 1);
      const env = { ...ofJob, ...shell.added.variables };
      if (!isDue(step.if ?? 'success()', context(env))) {
        steps[key] = 'skipped';
        ended[key] = { outputs: new Map(), outcome: 'skipped', conclusion: 'skipped' };
        continue;
      }
      const own = filled(step.env, context(env));
      const inputs = filled(step.with, context(env));
      let exitCode: number;
      let outputs: Readonly<Record<string, string>>;
      if (step.uses === undefined) {
        const script = join(temp, `step-${String(index)}.sh`);
        await writeFile(script, interpolate(step.run ?? '', context(env)));
        const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script];
        const all = { ...facts, ...env, ...own };
        ({ exitCode, outputs } = await shell.run({ command: 'bash', args, cwd: workspace, env: all }));
      } else {
        const given = {
          ...options,
          path: join(root, step.uses.replace('$', '.')),
          inputs,
          env: { ...options.env, ...env, ...own },
        };
        const result = await runAction(given);
        ({ exitCode, outputs } = result);
        shell.log.push(result.log);
      }
      if (exitCode !== 0) failed = true;
      const end = exitCode === 0 ? 'success' : 'failure';
      steps[key] = end;
      ended[key] = { outputs: new Map(Object.entries(outputs)), outcome: end, conclusion: end };
    }
    return { steps, log: shell.log.join('\n') };
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}
