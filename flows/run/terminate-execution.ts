import type { PlatformContext } from '../context/context.ts';
import { readStatus } from './execution-status.ts';
import type { ExecutionRecord } from './watch-execution.ts';

/**
 * Time limit in milliseconds after a cancel. GitHub interrupts a cancelled step and kills it ten seconds later. A
 * pending start may take three of these seconds (start-execution.ts), so this must end within seven.
 */
const cancelTerminationMs = 3_500;

/** Time limit of a termination in milliseconds after a time-out, when nothing is about to end this process. */
export const timeoutTerminationMs = 10_000;

export interface Termination {
  /** False if the request failed and the execution may still be running. */
  readonly terminated: boolean;
  /** Present if the execution had already ended. */
  readonly ended?: ExecutionRecord;
}

/**
 * Terminates an execution. The user's signal has already aborted, or the deadline has passed, so the request has its
 * own time limit and several attempts.
 */
export async function terminateExecution(
  id: string,
  { client, projectId, logger, progress }: PlatformContext,
  timeoutMs: number = cancelTerminationMs,
): Promise<Termination> {
  progress.step(`Terminating execution ${id}`);
  const signal = AbortSignal.timeout(timeoutMs);
  // An unanswered attempt leaves time for another one and for a poll.
  const limits = { signal, timeoutMs: timeoutMs * 0.4, deadlineMs: timeoutMs * 0.8 };
  try {
    await client.executions.terminate(
      { projectId, pipelineExecutionId: id, status: 'CANCELLED', forceUpdate: true },
      limits,
    );
    return { terminated: true };
  } catch (error) {
    // An execution that has ended needs no termination.
    const ended = await endOf(id, { client, projectId, signal });
    if (ended !== undefined) return { terminated: false, ended };
    logger.error('The execution could not be terminated. Check it on the platform.', {
      execution: id,
      error: String(error),
    });
    return { terminated: false };
  }
}

/** The record of an execution that has ended; `undefined` if it is running or cannot be read. */
async function endOf(
  id: string,
  { client, projectId, signal }: Pick<PlatformContext, 'client' | 'projectId' | 'signal'>,
): Promise<ExecutionRecord | undefined> {
  try {
    const { result } = await client.executions.get({ projectId, pipelineExecutionId: id }, { signal });
    return readStatus(result).end === 'running' ? undefined : result;
  } catch {
    return undefined;
  }
}
