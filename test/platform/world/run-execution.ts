import { vi } from 'vitest';
import type { ExecutionState } from '../../../engine/index.ts';
import { field, type Answer } from '../talk.ts';

/** A platform that answers: in this process, or in one of its own. */
interface Served {
  readonly project: string;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Starts an execution on the version `1`; returns its id. */
export async function startExecution(
  platform: Served,
  pipelineName: string,
  environmentName = 'dev',
): Promise<string> {
  const body = { pipelineName, environmentName, versionName: '1' };
  const started = await platform.send('POST', `${platform.project}/pipeline-executions`, body);
  return field(started, 'pipelineExecutionId');
}

export async function readExecution(platform: Served, id: string): Promise<ExecutionState> {
  return (await platform.send('GET', `/_platform/executions/${id}.json`)).body as ExecutionState;
}

/** Waits for the end of an execution: statements take real time. */
export function endOfExecution(platform: Served, id: string): Promise<ExecutionState> {
  return vi.waitFor(
    async () => {
      const state = await readExecution(platform, id);
      if (!/SUCCESS|FAILED|CANCELLED/.test(state.status)) throw new Error(`the execution is ${state.status}`);
      return state;
    },
    { timeout: 60_000, interval: 25 },
  );
}

export async function runExecution(
  platform: Served,
  pipelineName: string,
  environmentName = 'dev',
): Promise<ExecutionState> {
  return endOfExecution(platform, await startExecution(platform, pipelineName, environmentName));
}
