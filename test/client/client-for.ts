import { type Client, ClientError, type ClientOptions, createClient } from '../../client/index.ts';
import { type InstantClock, instantClock } from './instant-clock.ts';

/** A client whose waits take no time and whose jitter is always the maximum. */
export function clientFor(
  baseUrl: string,
  options: Partial<ClientOptions> = {},
): { client: Client; clock: InstantClock } {
  const clock = instantClock();
  const client = createClient({
    baseUrl,
    auth: { token: 'secret-token' },
    clock,
    random: () => 0.999,
    ...options,
  });
  return { client, clock };
}

/** The client's error of a failed call. A call that succeeds, or fails with another error, fails the test. */
export async function errorOf(call: PromiseLike<unknown>): Promise<ClientError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** One operation whose repetition is harmless and one whose repetition is not, by retry class. */
export const calls = {
  safe: (client: Client) => client.projects.list(),
  repeatable: (client: Client) =>
    client.executions.terminate({
      projectId: 'p',
      pipelineExecutionId: 'e',
      status: 'CANCELLED',
      forceUpdate: true,
    }),
  once: (client: Client) =>
    client.executions.start({
      projectId: 'p',
      pipelineName: 'daily/load',
      environmentName: 'dev',
      versionName: '1.4.0',
      executionTag: 'nightly',
    }),
} as const;

export const good = {
  safe: { page: 0, results: [], size: 25, total: 0 },
  repeatable: { pipelineExecutionId: 'e' },
  once: { pipelineExecutionId: 'e' },
} as const;
