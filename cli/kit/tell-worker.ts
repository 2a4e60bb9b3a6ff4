import { Failure } from '../../lib/core/failure.ts';
import type { Session } from './session.ts';

/**
 * Tells the running worker, where the operator's address and token are set, that an environment was changed past it, so
 * that its lanes show it at once. Gives the names of the lanes that promote there. A worker that cannot be told is a
 * warning: the change itself is done, and the worker finds it by asking the platform.
 */
export async function tellWorker(
  session: Session,
  { project, environment }: { readonly project: string; readonly environment: string },
): Promise<readonly string[]> {
  const { workerUrl, workerToken } = session.settings;
  if (workerUrl === undefined || workerToken === undefined) return [];
  const { askWorker } = await import('./operator-api.ts');
  const { anyAnswer, lanesAnswer } = await import('./operator-answers.ts');
  try {
    const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
    const concerned = lanes.filter(
      (lane) => lane.to === environment && lane.project?.toLowerCase() === project.toLowerCase(),
    );
    const [first] = concerned;
    if (first === undefined) return [];
    // One is enough: the worker asks once for all lanes of an environment.
    const path = `lanes/${encodeURIComponent(first.id)}/refresh`;
    await askWorker(session, { method: 'POST', path }, anyAnswer);
    return concerned.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    session.output.logger.warn(
      `The worker was not told that ${environment} was changed (${error.message}) It sees the change when it next asks the platform.`,
    );
    return [];
  }
}
