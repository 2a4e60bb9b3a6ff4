import { Failure } from '../model/failure.ts';
import { anyAnswer, askWorker, lanesAnswer } from './operator-api.ts';
import type { Session } from './session.ts';

/** Makes sure that the worker has a lane or a run: what a dry run can find out. Throws Failure 'not-found' and as askWorker. */
export async function lookUpTarget(session: Session, what: 'lane' | 'run', id: string): Promise<void> {
  if (what === 'run') {
    await askWorker(session, { method: 'GET', path: `runs/${encodeURIComponent(id)}` }, anyAnswer);
    return;
  }
  const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
  if (lanes.some((lane) => lane.id === id)) return;
  throw new Failure('not-found', {
    message: `The worker has no lane "${id}".`,
    where: { input: 'lane' },
    mend: 'See `millrace lanes` for what there is.',
  });
}
