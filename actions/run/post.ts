import { z } from 'zod';
import { terminateExecution } from '../../flows/run/terminate-execution.ts';
import type { Action } from '../kit/step/action.ts';
import { choice, text } from '../kit/inputs/input-field.ts';
import { openPlatform } from '../kit/inputs/platform-access.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';
import { inputVariable } from '../kit/inputs/read-inputs.ts';
import { defaultConfig } from '../kit/checkout/default-config.ts';
import { startStep, type StepProcess } from '../kit/start-step.ts';
import type { Environment } from '../kit/step/step.ts';

const inputs = z.object({
  ...platformInputs,
  'execution-id': text('Id of the execution that the run step recorded.'),
  'project-id': text('Id of the project that the run step recorded.'),
  finished: text('`true` if no execution is left to terminate.'),
  'on-cancel': choice(
    ['terminate', 'detach'],
    'terminate',
    'What to do with the execution if the workflow is cancelled',
  ),
});

/** A value that the main step recorded. GitHub passes it to `post` as state, and a composite action to its last step as input. */
function recorded(name: 'execution-id' | 'project-id' | 'finished', environment: Environment): string {
  return (environment[`STATE_${name}`] ?? environment[inputVariable(name)] ?? '').trim();
}

/** Terminates the execution that a cancelled run step did not terminate itself. */
export const runPost: Action<typeof inputs.shape> = {
  name: 'run-post',
  title: 'Cancelled run',
  description: 'Terminates the execution of a cancelled run step.',
  inputs,
  outputs: {},
  async run(values, step) {
    const id = recorded('execution-id', step.environment);
    // Use the project of the run step: reading millrace.yaml again could fail, and the execution would continue.
    const project = recorded('project-id', step.environment) || values.project;
    await using platform = openPlatform({ ...values, project }, defaultConfig, step);
    const { terminated, ended } = await terminateExecution(id, platform);
    const isOver = terminated || ended !== undefined;
    return {
      report: {
        title: 'Cancelled run',
        outcome: isOver ? 'passed' : 'failed',
        headline: isOver
          ? `The execution ${id} of the cancelled step ${terminated ? 'was terminated' : 'had already ended'}.`
          : `Cannot terminate the execution ${id}. It may still be running.`,
        facts: [['execution', id]],
        findings: [],
        notes: [],
      },
      details: { executionId: id, terminated },
      outputs: {},
    };
  },
};

/** Starts the post step, if the run step left an execution to terminate. */
export async function startRunPost(process: StepProcess): Promise<void> {
  const { env } = process;
  const left = recorded('execution-id', env) !== '' && recorded('finished', env) !== 'true';
  if (!left || env[inputVariable('on-cancel')] === 'detach') return;
  await startStep(runPost, process);
}
