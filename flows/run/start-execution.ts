import { explainNotFound } from '../context/explain-not-found.ts';
import { ClientError, RateLimited, TagConflict, Unreachable } from '../../client/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { attachCommand } from './attach-command.ts';
import type { PlatformContext } from '../context/context.ts';
import { pollInterval } from './poll-interval.ts';
import type { RunRequest } from './run-request.ts';
import { untilDeadline } from '../context/until-deadline.ts';

/**
 * After a cancel, a pending start may be answered for this long, in milliseconds. Together with the termination it
 * stays below the ten seconds that GitHub gives a cancelled step.
 */
const answerTimeoutMs = 3_000;
/**
 * A start is not sent if less time than this, in milliseconds, remains for its answer: its outcome would be unknown.
 */
const minAnswerMs = 2_000;

interface Start {
  readonly pipeline: string;
  readonly environment: string;
  readonly tag: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
}

/**
 * Starts an execution with one request at a time. A start is never sent again after a lost answer, because the tag
 * only protects while the execution runs. `onConflict` decides about a busy tag. After a cancel, a pending start may
 * still be answered, so that the caller knows what to terminate. Returns the execution's id; `undefined` if the tag
 * is busy and `onConflict` is `skip`.
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
  const names = {
    pipeline,
    environments: { environment },
    version: version === undefined ? undefined : { name: version, environment },
  };
  const startTime = clock.now();
  let conflict: TagConflict | undefined;
  for (;;) {
    signal.throwIfAborted();
    let askedMs = 0;
    try {
      const { pipelineExecutionId } = await explainNotFound(names, context, () =>
        client.executions.start(
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
        ),
      );
      return pipelineExecutionId;
    } catch (error) {
      if (error instanceof ClientError && error.isUnknown) throw startOutcomeUnknown(start, error);
      signal.throwIfAborted();
      if (error instanceof TagConflict) conflict = error;
      // The execution was certainly not started: keep waiting for the busy tag.
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

/** The API cannot find the execution (unknowns §2), so the message names the tag for a person. */
function startOutcomeUnknown(start: Start, cause: ClientError): Failure {
  const { pipeline, environment, tag } = start;
  return new Failure('outcome-unknown', {
    message: `It is unknown whether ${pipeline} was started in ${environment}. If it was, it runs with the tag "${tag}". ${cause.message}`,
    hint: `Look for an execution with that tag on the platform before you start it again. To wait for it: ${attachCommand(start, '<id>')}`,
    details: { ...cause.details, executionTag: tag },
    cause,
  });
}
