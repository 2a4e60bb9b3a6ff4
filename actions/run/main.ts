import type { z } from 'zod';
import type { PlatformContext } from '../../flows/context/context.ts';
import { run as runFlow, type RunReport } from '../../flows/run/run.ts';
import { reportOfRun } from '../../flows/run/report.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Action } from '../kit/step/action.ts';
import { findDeployed, withDeployment } from '../kit/releases/deployment-record.ts';
import { openPlatform } from '../kit/inputs/platform-access.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { readRunSettings } from '../kit/checkout/read-run-settings.ts';
import type { Step } from '../kit/step/step.ts';
import { runInputs } from './inputs.ts';

/** Executes a published pipeline and waits until the execution ends. */
export const run: Action<typeof runInputs.shape> = {
  name: 'run',
  title: 'Run',
  description: 'Executes a published pipeline in an environment, and waits until the execution ends.',
  inputs: runInputs,
  outputs: {
    ...commonOutputs,
    'execution-id': 'Id of the execution.',
    status: 'The last status of the execution on the platform.',
    message: 'The message of the platform about the execution.',
    tag: 'The execution tag.',
    'project-id': 'Id of the project on the platform.',
    finished: '`true` if no later step needs to terminate the execution.',
  },
  async run(inputs, step) {
    const config = await readRunSettings(inputs['working-directory'], step);
    await using platform = openPlatform(inputs, config, step, Infinity);
    // The post step terminates the execution without git, so it needs the project id.
    step.record('project-id', platform.projectId);
    const { environment, version } = inputs;
    const records = inputs.deployment && !inputs['dry-run'] && inputs.wait && inputs.attach === undefined;
    const deployed =
      records && environment !== undefined
        ? await findDeployed({ environment, version }, platform, step)
        : undefined;
    const { result: ran, notes } = await withDeployment(deployed, inputs, step, () =>
      start(inputs, step, platform),
    );
    // If the step could not terminate the execution in time, `post` tries again.
    const leftBehind = ran.outcome === 'cancelled' && inputs['on-cancel'] === 'terminate' && !ran.terminated;
    if (!leftBehind) step.record('finished', 'true');
    return {
      report: reportOfRun(ran, notes),
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

/** Runs the pipeline. After an error without a cancel, `post` does not terminate the execution. */
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
        // If the answer of the start is lost, the tag is the only trace of the execution.
        onStarting: (tag) => step.record('tag', tag),
        onStarted: (id) => step.record('execution-id', id),
      },
      platform,
    );
  } catch (error) {
    if (!step.context.signal.aborted) step.record('finished', 'true');
    throw error;
  }
}

/** Parses `name=value` lines; undefined without a line. Throws Failure 'usage' for any other line. */
function readVariables(lines: readonly string[]): Record<string, string> | undefined {
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      if (at > 0) return [line.slice(0, at).trim(), line.slice(at + 1)];
      throw new Failure('usage', {
        message: 'A line of the input "variables" is not of the form name=value.',
        where: { input: 'variables' },
        hint: 'Write one variable per line, such as day=2026-01-02.',
      });
    }),
  );
}
