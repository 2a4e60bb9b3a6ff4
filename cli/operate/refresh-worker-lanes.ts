import { Failure } from '../../lib/core/errors/failure.ts';
import type { Session } from '../kit/session.ts';

/**
 * Asks a running worker to refresh the lanes to an environment that was changed without it. Does nothing unless the
 * worker's address and a token are set. Returns the names of these lanes. A failure is only a warning: the
 * environment has changed, and the worker sees it with its next poll.
 */
export async function refreshWorkerLanes(
  session: Session,
  { project, environment }: { readonly project: string; readonly environment: string },
): Promise<readonly string[]> {
  const { workerUrl, workerToken } = session.settings;
  if (workerUrl === undefined || workerToken === undefined) return [];
  const { askWorker } = await import('./operator-api.ts');
  const { anyAnswer, lanesAnswer } = await import('./operator-answers.ts');
  try {
    const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
    const affected = lanes.filter(
      (lane) => lane.to === environment && lane.project?.toLowerCase() === project.toLowerCase(),
    );
    const [first] = affected;
    if (first === undefined) return [];
    // One lane is enough: the worker refreshes all lanes of the same environment together.
    const path = `lanes/${encodeURIComponent(first.id)}/refresh`;
    await askWorker(session, { method: 'POST', path }, anyAnswer);
    return affected.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    session.output.logger.warn(
      `Cannot refresh the worker’s lanes of ${environment}: ${error.message} The worker sees the change with its next poll of the platform.`,
    );
    return [];
  }
}
