import type { z } from 'zod';
import { type PlatformContext, run as runFlow, type RunReport } from '../../flows/index.ts';
import { attachCommand } from '../../flows/run/attach-command.ts';
import { describeExecution } from '../../flows/run/describe-execution.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Action } from '../kit/action.ts';
import { openPlatform } from '../kit/platform-access.ts';
import { commonOutputs } from '../kit/platform-inputs.ts';
import { settingsOfRun } from '../kit/settings-of-run.ts';
import type { Step } from '../kit/step.ts';
import { runInputs } from './inputs.ts';

/** Runs a published pipeline and waits for its end. */
export const run: Action<typeof runInputs.shape> = {
  name: 'run',
  title: 'Run',
  description: 'Runs a published pipeline in an environment and waits for its end.',
  inputs: runInputs,
  outputs: {
    ...commonOutputs,
    'execution-id': 'Id of the execution.',
    status: 'Its last status, in the platform’s word.',
    message: 'What the platform says about it.',
    tag: 'The execution tag.',
    'project-id': 'Id of the project on the platform.',
    settled: '`true` where the step left nothing behind that a later one would have to terminate.',
  },
  async run(inputs, step) {
    const config = await settingsOfRun(inputs['working-directory'], step);
    await using platform = openPlatform(inputs, config, step, Infinity);
    // What terminates the execution afterwards must not depend on git.
    step.record('project-id', platform.projectId);
    const ran = await start(inputs, step, platform);
    // Where the platform could not be told in time, `post` tries once more.
    const leftBehind = ran.outcome === 'cancelled' && inputs['on-cancel'] === 'terminate' && !ran.terminated;
    if (!leftBehind) step.record('settled', 'true');
    return {
      report: {
        title: 'Run',
        outcome: ran.outcome,
        headline: headlineOf(ran, inputs.wait),
        facts: factsOf(ran),
        findings: [],
        notes: [
          ...(ran.terminated ? ['The execution was terminated.'] : []),
          ...(ran.hint === undefined ? [] : [ran.hint]),
        ],
      },
      reasons: ran.message ? [`The platform says: ${ran.message}`] : [],
      details: ran,
      outputs: {
        'execution-id': ran.executionId ?? '',
        status: ran.status ?? '',
        message: ran.message ?? '',
        tag: ran.tag ?? '',
      },
    };
  },
};

type Inputs = z.output<typeof runInputs>;

/** Runs it; an execution whose end could not be read is nobody's to terminate. */
async function start(inputs: Inputs, step: Step, platform: PlatformContext): Promise<RunReport> {
  try {
    return await runFlow(
      {
        pipeline: inputs.pipeline,
        environment: inputs.environment,
        version: inputs.version,
        tag: inputs.tag,
        variables: readVariables(inputs.variables),
        timeoutMs: inputs.timeout,
        onTimeout: inputs['on-timeout'],
        onCancel: inputs['on-cancel'],
        onConflict: inputs['on-conflict'],
        attach: inputs.attach,
        wait: inputs.wait,
        dryRun: inputs['dry-run'],
        // The one trace of a start whose answer is lost.
        onStarting: (tag) => step.record('tag', tag),
        onStarted: (id) => step.record('execution-id', id),
      },
      platform,
    );
  } catch (error) {
    if (!step.context.signal.aborted) step.record('settled', 'true');
    throw error;
  }
}

/** `name=value` lines; undefined where there are none. Failure 'usage' for any other line. */
function readVariables(lines: readonly string[]): Record<string, string> | undefined {
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      if (at > 0) return [line.slice(0, at).trim(), line.slice(at + 1)];
      throw new Failure('usage', {
        message: 'A line of the input "variables" is not of the form name=value.',
        where: { input: 'variables' },
      });
    }),
  );
}

function headlineOf(ran: RunReport, wait: boolean): string {
  const { outcome, timedOut, dryRun, status, executionId, problem } = ran;
  const what = describeExecution(ran);
  if (dryRun) return `Would run ${what}.`;
  if (outcome === 'nothing-to-do') return `${what} is running already under this tag; nothing was started.`;
  if (outcome === 'passed' && !wait) return `Started ${what}.`;
  if (problem !== undefined)
    return `How ${what} stands is unknown: ${problem.replace(/\.$/u, '')}. Execution ${executionId ?? ''}.`;
  if (timedOut) return `${what} did not end in time.`;
  return outcome === 'cancelled'
    ? `Cancelled while ${what} was running.`
    : `${what} ended: ${status ?? outcome}.`;
}

function factsOf(ran: RunReport): (readonly [string, string])[] {
  const facts = [
    ['tag', ran.tag],
    ['execution', ran.executionId],
    ['status', ran.status],
    ['message', ran.message],
    ['started', ran.startedAt],
    ['finished', ran.finishedAt],
    // In code, where nothing is put between its characters: it is copied.
    ['to wait for it', ran.hint === undefined ? undefined : attachCommand(ran, ran.executionId ?? '')],
  ] as const;
  return facts.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [[label, value] as const],
  );
}
