import { TagConflict } from '../client/index.ts';
import type { PlatformContext } from './context.ts';
import { lateSignal } from './late-signal.ts';
import { pollInterval } from './poll-interval.ts';
import type { RunRequest } from './run.ts';

/** Together with the request that terminates it stays below the ten seconds that GitHub leaves a cancelled step. */
const answerWithinMs = 3_000;

/**
 * Starts an execution, exactly one request at a time: a start is never sent again after a lost answer, because the
 * tag guards only while the execution runs. A busy tag is met by the policy. A cancel lets a start that is on its way
 * be answered, so that the caller knows what to terminate.
 * Gives the execution's id; undefined where the policy is `skip` and the tag is busy.
 */
export async function startExecution(
  request: RunRequest,
  start: { readonly tag: string; readonly deadline: number },
  context: PlatformContext,
): Promise<string | undefined> {
  const { client, projectId, clock, random, progress, signal } = context;
  const { pipeline, environment, version, variables } = request;
  const begun = clock.now();
  const answered = lateSignal(signal, answerWithinMs);
  for (;;) {
    signal.throwIfAborted();
    try {
      const { pipelineExecutionId } = await client.executions.start(
        {
          projectId,
          pipelineName: pipeline,
          environmentName: environment,
          executionTag: start.tag,
          ...(version === undefined ? {} : { versionName: version }),
          ...(variables === undefined || Object.keys(variables).length === 0
            ? {}
            : { scalarVariables: { ...variables } }),
        },
        { signal: answered },
      );
      return pipelineExecutionId;
    } catch (error) {
      if (!(error instanceof TagConflict)) throw error;
      if (request.onConflict === 'skip') return undefined;
      const left = start.deadline - clock.now();
      if (request.onConflict === 'fail' || left <= 0) throw error;
      progress.step(`Waiting: an execution with the tag ${start.tag} is still running`);
      await clock.sleep(Math.min(pollInterval(clock.now() - begun, random), left), signal);
    }
  }
}
