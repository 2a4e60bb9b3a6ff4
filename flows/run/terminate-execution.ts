import type { PlatformContext } from '../context/context.ts';
import { readStatus } from './execution-status.ts';
import type { ExecutionRecord } from './watch-execution.ts';

/**
 * GitHub interrupts a cancelled step and kills it ten seconds later: a start that is on its way may take three of
 * them (start-execution.ts), and this has to be through after seven.
 */
const cancelTerminationMs = 3_500;

/** After a time limit nobody is about to kill us. */
export const timeoutTerminationMs = 10_000;

export interface Termination {
  /** False where it could not be said to the platform, and the execution may still be running. */
  readonly terminated: boolean;
  /** Set where it had ended before, so that there was nothing to terminate. */
  readonly ended?: ExecutionRecord;
}

/**
 * Terminates an execution. The user's signal has aborted already, or the time is up, so the request has a time limit of
 * its own, within which it is tried more than once.
 */
export async function terminateExecution(
  id: string,
  { client, projectId, logger, progress }: PlatformContext,
  timeoutMs: number = cancelTerminationMs,
): Promise<Termination> {
  progress.step(`Terminating execution ${id}`);
  const signal = AbortSignal.timeout(timeoutMs);
  // An attempt that nobody answers leaves time for another, and for a look.
  const limits = { signal, timeoutMs: timeoutMs * 0.4, deadlineMs: timeoutMs * 0.8 };
  try {
    await client.executions.terminate(
      { projectId, pipelineExecutionId: id, status: 'CANCELLED', forceUpdate: true },
      limits,
    );
    return { terminated: true };
  } catch (error) {
    // One that ended by itself needs no termination.
    const ended = await endOf(id, { client, projectId, signal });
    if (ended !== undefined) return { terminated: false, ended };
    logger.error(`The execution ${id} could not be terminated; look at it.`, { error: String(error) });
    return { terminated: false };
  }
}

/** The execution's record where it has ended; undefined where it runs, or that cannot be seen. */
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
