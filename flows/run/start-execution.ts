import { ClientError, RateLimited, TagConflict, Unreachable } from '../../client/index.ts';
import { Failure } from '../../lib/core/failure.ts';
import { attachCommand } from './attach-command.ts';
import type { PlatformContext } from '../context/context.ts';
import { pollInterval } from './poll-interval.ts';
import type { RunRequest } from './run-request.ts';
import { untilDeadline } from '../context/until-deadline.ts';

/** Together with the request that terminates it stays below the ten seconds that GitHub leaves a cancelled step. */
const answerTimeoutMs = 3_000;
/** A start is not sent again with less time to be answered than this: what it did would be unknown. */
const minAnswerMs = 2_000;

interface Start {
  readonly pipeline: string;
  readonly environment: string;
  readonly tag: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
}

/**
 * Starts an execution, exactly one request at a time: a start is never sent again after a lost answer, because the
 * tag guards only while the execution runs. A busy tag is met by the policy. A cancel lets a start that is on its way
 * be answered, so that the caller knows what to terminate.
 * Gives the execution's id; undefined where the policy is `skip` and the tag is busy.
 * Throws Failure 'outcome-unknown' with the tag to look for, TagConflict, and what the client throws.
 */
export async function startExecution(
  request: RunRequest,
  start: Start,
  context: PlatformContext,
): Promise<string | undefined> {
  const { client, projectId, clock, random, progress, signal } = context;
  const { version, variables } = request;
  const { pipeline, environment } = start;
  const startTime = clock.now();
  let conflict: TagConflict | undefined;
  for (;;) {
    signal.throwIfAborted();
    let askedMs = 0;
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
        { ...untilDeadline(start.deadline, context), answerGraceMs: answerTimeoutMs },
      );
      return pipelineExecutionId;
    } catch (error) {
      if (error instanceof ClientError && error.isUnknown) throw startOutcomeUnknown(start, error);
      signal.throwIfAborted();
      if (error instanceof TagConflict) conflict = error;
      // Provably not started: while a busy tag is waited for, that is no reason to stop.
      else if (conflict === undefined || !(error instanceof RateLimited || error instanceof Unreachable))
        throw error;
      if (error instanceof RateLimited) askedMs = error.retryAfterMs ?? 0;
      if (request.onConflict === 'skip') return undefined;
      const left = start.deadline - clock.now() - minAnswerMs;
      if (request.onConflict === 'fail' || left <= 0) throw conflict;
      progress.step(`Waiting: an execution with the tag ${start.tag} is still running`);
      const pause = Math.max(pollInterval(clock.now() - startTime, random), askedMs);
      await clock.sleep(Math.min(pause, left), signal);
    }
  }
}

/** Nothing can look it up (unknowns §2): the tag is all that a person has to find it by. */
function startOutcomeUnknown(start: Start, cause: ClientError): Failure {
  const { pipeline, environment, tag } = start;
  return new Failure('outcome-unknown', {
    message: `Whether ${pipeline} was started in ${environment} is unknown; if it was, it runs with the tag "${tag}". ${cause.message}`,
    hint: `Look on the platform for an execution with that tag before anything is started again. To wait for it: ${attachCommand(start, '<id>')}`,
    details: { ...cause.details, executionTag: tag },
    cause,
  });
}
