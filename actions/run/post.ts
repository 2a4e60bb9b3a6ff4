import { z } from 'zod';
import { terminateExecution } from '../../flows/run/terminate-execution.ts';
import type { Action } from '../kit/action.ts';
import { choice, text } from '../kit/input-field.ts';
import { openPlatform } from '../kit/platform-access.ts';
import { platformInputs } from '../kit/platform-inputs.ts';
import { inputVariable } from '../kit/read-inputs.ts';
import { defaultConfig } from '../kit/project.ts';
import { startStep, type StepProcess } from '../kit/start-step.ts';
import type { Environment } from '../kit/step.ts';

const inputs = z.object({
  ...platformInputs,
  'execution-id': text('The execution that the step recorded.'),
  'project-id': text('The project on the platform that the step recorded.'),
  settled: text('Whether that step took care of it.'),
  'on-cancel': choice(
    ['terminate', 'detach'],
    'terminate',
    'What happens to it when the workflow is cancelled',
  ),
});

/** What the main step recorded: GitHub hands it to `post` as state, and a composite action to its last step as input. */
function recorded(name: 'execution-id' | 'project-id' | 'settled', environment: Environment): string {
  return (environment[`STATE_${name}`] ?? environment[inputVariable(name)] ?? '').trim();
}

/** Terminates the execution that a killed step left behind. */
export const runPost: Action<typeof inputs.shape> = {
  name: 'run-post',
  title: 'Cancelled run',
  description: 'Terminates the execution that a cancelled run left behind.',
  inputs,
  outputs: {},
  async run(given, step) {
    const id = recorded('execution-id', step.environment);
    // As the step resolved it: reading millrace.yaml once more could fail, and the execution would go on running.
    const project = recorded('project-id', step.environment) || given.project;
    await using platform = openPlatform({ ...given, project }, defaultConfig, step);
    const { terminated, ended } = await terminateExecution(id, platform);
    const isOver = terminated || ended !== undefined;
    return {
      report: {
        title: 'Cancelled run',
        outcome: isOver ? 'passed' : 'failed',
        headline: isOver
          ? `${terminated ? 'Terminated the execution' : 'Ended by itself: the execution'} ${id}, which the cancelled step left behind.`
          : `The execution ${id} could not be terminated; it may still be running.`,
        facts: [['execution', id]],
        findings: [],
        notes: [],
      },
      details: { executionId: id, terminated },
      outputs: {},
    };
  },
};

/** Starts it where something was left behind; on every other end of a run there is nothing to do. */
export async function startRunPost(process: StepProcess): Promise<void> {
  const { env } = process;
  const left = recorded('execution-id', env) !== '' && recorded('settled', env) !== 'true';
  if (!left || env[inputVariable('on-cancel')] === 'detach') return;
  await startStep(runPost, process);
}
