import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { nodeVariables } from '../environment/node-variables.ts';
import { readManifest } from './action-manifest.ts';
import { actionScript } from './action-script.ts';
import type { Annotation } from './annotations.ts';
import { defaultEnvironment, githubContext, type RunFacts } from './environment.ts';
import { interpolate } from './expression.ts';
import { createJob } from './job.ts';
import { runComposite } from './run-composite.ts';
import { type CancelTimes, runnerCancelTimes } from './step-process.ts';

export interface RunOptions extends RunFacts {
  /** Folder that holds `action.yml`. */
  readonly path: string;
  /** What `with:` says. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Payload of the event. */
  readonly event: unknown;
  /** The checked-out repository. */
  readonly workspace: string;
  /** `env:` of the job; nothing of this process gets through but PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** `github.token`. */
  readonly token?: string;
  /** Values that the runner knows as secrets from the start. */
  readonly secrets?: readonly string[];
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  readonly cancelTimes?: CancelTimes;
  /** Every masked line as it comes. */
  readonly onLine?: (line: string) => void;
  /** Before the temporary folder of the run is removed. */
  readonly onFinished?: (result: RunResult) => void;
  /** Node 24; the Node of this process where none is given. */
  readonly node?: string;
  /**
   * Whether the shipped scripts run in a process that has run others before. Not with a signal, another Node, or variables
   * that Node reads at its start. Default: each in a process of its own.
   */
  readonly sharesProcess?: boolean;
}

export interface RunResult {
  readonly exitCode: number;
  readonly outcome: 'success' | 'failure' | 'cancelled';
  readonly annotations: readonly Annotation[];
  /** Annotations that the caps swallowed. */
  readonly droppedAnnotations: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Both streams, masked, as the log shows them. */
  readonly log: string;
  /** Everything that left the processes, before masks: streams, summary and outputs. */
  readonly raw: string;
  /** How each step of a composite action ended. */
  readonly steps: Readonly<Record<string, string>>;
  /** A text as a later step of the job would show it. */
  readonly mask: (text: string) => string;
  /** What the runner complains about. */
  readonly errors: readonly string[];
}

/** `INPUT_<NAME>`: upper case, blanks become underscores, hyphens stay. */
function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

function mayShareProcess({ sharesProcess, signal, node, env = {} }: RunOptions): boolean {
  const isPlain = signal === undefined && node === undefined;
  return sharesProcess === true && isPlain && !Object.keys(env).some((name) => name.startsWith('NODE_'));
}

/** Runs one action in a workspace, `post` included. */
export async function runAction(options: RunOptions): Promise<RunResult> {
  const manifest = await readManifest(options.path);
  const temp = await realpath(await mkdtemp(join(tmpdir(), 'millrace-runner-')));
  try {
    const actionPath = resolve(options.path);
    const eventPath = join(temp, 'event.json');
    await writeFile(eventPath, JSON.stringify(options.event));
    const node = options.node ?? process.execPath;
    const signal = options.signal ?? new AbortController().signal;
    const { workspace, token = '', cancelTimes = runnerCancelTimes, onLine } = options;
    const job = createJob({
      workspace,
      temp,
      signal,
      cancelTimes,
      onLine,
      secrets: [...(options.secrets ?? []), ...(token === '' ? [] : [token])],
    });
    const environment: Record<string, string> = {
      PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`,
      ...defaultEnvironment(options, { workspace, temp, home: temp, eventPath }),
      // Unlike GitHub's runner: the same code, with a quicker start.
      ...nodeVariables(),
      ...options.env,
    };
    const github = githubContext(environment, { token, actionPath });
    const given = options.inputs ?? {};
    const unexpected = Object.keys(given).filter((name) => !(name in manifest.inputs));
    if (unexpected.length > 0) {
      const valid = Object.keys(manifest.inputs).map((name) => `'${name}'`);
      job.log.push(
        `##[warning]Unexpected input(s) '${unexpected.join("', '")}', valid inputs are [${valid.join(', ')}]`,
      );
    }
    const withDefaults = { values: { github }, functions: {} };
    const inputs = Object.fromEntries(
      Object.entries(manifest.inputs).map(([name, input]) => [
        name,
        given[name] ?? interpolate(String(input.default ?? ''), withDefaults),
      ]),
    );

    let exitCode: number;
    let outputs: Readonly<Record<string, string>>;
    let steps: Readonly<Record<string, string>> = {};
    const { runs } = manifest;
    if (runs.using === 'composite') {
      ({ exitCode, outputs, steps } = await runComposite({
        steps: runs.steps,
        outputs: manifest.outputs,
        job,
        workspace,
        temp,
        signal,
        environment: { ...environment, GITHUB_ACTION_PATH: actionPath },
        context: { github, inputs, runner: { temp, os: 'Linux' } },
      }));
    } else {
      const asVariables = Object.entries(inputs).map(([name, value]) => [inputVariable(name), value]);
      const env = { ...environment, ...Object.fromEntries(asVariables) };
      const isShared = mayShareProcess(options);
      const args = [actionScript(join(actionPath, runs.main))];
      const main = await job.run({ command: node, args, cwd: workspace, env, isShared });
      ({ exitCode, outputs } = main);
      if (runs.post !== undefined) {
        const state = Object.entries(main.state).map(([name, value]) => [`STATE_${name}`, value]);
        const post = { ...env, ...Object.fromEntries(state) };
        const last = [actionScript(join(actionPath, runs.post))];
        const after = await job.run({ command: node, args: last, cwd: workspace, env: post, isShared });
        exitCode = exitCode === 0 ? after.exitCode : exitCode;
      }
    }
    const result: RunResult = {
      exitCode,
      outcome: signal.aborted ? 'cancelled' : exitCode === 0 ? 'success' : 'failure',
      annotations: job.collector.annotations,
      droppedAnnotations: job.collector.dropped,
      outputs,
      summary: job.summaries.join(''),
      log: job.log.join('\n'),
      raw: job.raw.join('\n'),
      steps,
      mask: job.mask,
      errors: job.errors,
    };
    options.onFinished?.(result);
    return result;
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}
