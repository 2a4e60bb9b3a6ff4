import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { PlatformContext } from '../context/context.ts';
import { type ExecutionEnd, readStatus } from './execution-status.ts';
import { pollInterval } from './poll-interval.ts';
import { createPollErrorTracker } from './poll-errors.ts';
import { untilDeadline } from '../context/until-deadline.ts';

export interface ExecutionRecord {
  readonly status: string;
  readonly message?: string | null | undefined;
  readonly startedAt?: string | null | undefined;
  readonly finishedAt?: string | null | undefined;
}

export interface Watched {
  /** `timed-out`: the deadline passed first. `lost`: it cannot be read any more, and polling again cannot help. */
  readonly end: Exclude<ExecutionEnd, 'running'> | 'timed-out' | 'lost';
  /** The last record that could be read; `undefined` if none could. */
  readonly record?: ExecutionRecord | undefined;
  /** The error of the last poll, if it failed. */
  readonly pollError?: string | undefined;
}

/** Time limit in milliseconds of a poll that starts at the deadline. */
export const lastPollMs = 3_000;

/**
 * Polls an execution until it ends or the deadline (epoch milliseconds) passes. Temporary errors are retried, because
 * the execution continues. With `attached`, a refusal before the first successful poll rejects with the client's
 * error, because this process did not start the execution. Rejects when the signal aborts.
 */
export async function watchExecution(
  execution: {
    readonly id: string;
    readonly name: string;
    readonly deadline: number;
    readonly attached?: boolean;
  },
  context: PlatformContext,
): Promise<Watched> {
  const { client, projectId, clock, random, logger, progress, signal } = context;
  const startTime = clock.now();
  const pollErrors = createPollErrorTracker(clock);
  let record: ExecutionRecord | undefined;
  let warned = false;
  for (;;) {
    let pollError: string | undefined;
    let askedMs = 0;
    try {
      const { result } = await client.executions.get(
        { projectId, pipelineExecutionId: execution.id },
        untilDeadline(execution.deadline, context, lastPollMs),
      );
      record = result;
      pollErrors.succeeded();
      const { end, known: isKnown } = readStatus(result);
      if (!isKnown && !warned) {
        warned = true;
        logger.warn('The status is unknown. Polling continues until the execution has finished.', {
          status: result.status,
          execution: execution.id,
        });
      }
      if (end !== 'running') return { end, record };
    } catch (error) {
      signal.throwIfAborted();
      const verdict = pollErrors.classify(error);
      if (verdict.isRefusal && record === undefined && execution.attached === true) throw error;
      pollError = messageOf(error);
      if (verdict.isFinal) return { end: 'lost', record, pollError };
      askedMs = verdict.askedMs;
    }
    const left = execution.deadline - clock.now();
    if (left <= 0) return { end: 'timed-out', record, pollError };
    const age = clock.now() - startTime;
    const seen =
      pollError === undefined ? (record?.status.toLowerCase() ?? '') : `cannot be read (${pollError})`;
    progress.step(`${execution.name}: ${seen} for ${Math.round(age / 1000)} s`);
    await clock.sleep(Math.min(Math.max(pollInterval(age, random), askedMs), left), signal);
  }
}
