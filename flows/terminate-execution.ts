import type { PlatformContext } from './context.ts';
import { readStatus } from './execution-status.ts';

/**
 * GitHub interrupts a cancelled step and kills it ten seconds later: a start that is on its way may take three of
 * them (start-execution.ts), and this has to be through after seven.
 */
const withinMs = 3_500;

/**
 * Terminates an execution; false where it could not be said to the platform. The user's signal has aborted
 * already, so the request has a time limit of its own.
 */
export async function terminateExecution(
  id: string,
  { client, projectId, logger, progress }: PlatformContext,
): Promise<boolean> {
  progress.step(`Terminating execution ${id}`);
  const signal = AbortSignal.timeout(withinMs);
  try {
    await client.executions.terminate(
      { projectId, pipelineExecutionId: id, status: 'CANCELLED', forceUpdate: true },
      { signal },
    );
    return true;
  } catch (error) {
    const ended = await hasEnded(id, { client, projectId, signal });
    if (!ended)
      logger.error(`The execution ${id} could not be terminated; look at it.`, { error: String(error) });
    return ended;
  }
}

/** A run that ended by itself in the meantime needs no termination. */
async function hasEnded(
  id: string,
  { client, projectId, signal }: Pick<PlatformContext, 'client' | 'projectId' | 'signal'>,
): Promise<boolean> {
  try {
    const { result } = await client.executions.get({ projectId, pipelineExecutionId: id }, { signal });
    return readStatus(result).end !== 'running';
  } catch {
    return false;
  }
}
