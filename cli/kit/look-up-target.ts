import { Failure } from '../../lib/core/failure.ts';
import { anyAnswer, lanesAnswer } from './operator-answers.ts';
import { askWorker } from './operator-api.ts';
import type { Session } from './session.ts';

/**
 * The id of a lane or a promotion that the worker has. A lane may also be given by its name in millrace.yaml where only one
 * is called so. Throws Failure 'not-found', 'usage' where several lanes are called so, and as askWorker.
 */
export async function lookUpTarget(
  session: Session,
  what: 'lane' | 'promotion',
  given: string,
): Promise<string> {
  if (what === 'promotion') {
    await askWorker(session, { method: 'GET', path: `promotions/${encodeURIComponent(given)}` }, anyAnswer);
    return given;
  }
  const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
  const ids = lanes.map(({ id }) => id);
  if (ids.includes(given)) return given;
  const called = ids.filter((id) => id.endsWith(`/${given}`));
  const [only] = called;
  if (only !== undefined && called.length === 1) return only;
  const where = { input: 'lane' };
  if (only !== undefined) {
    const message = `Several lanes are called "${given}": ${called.join(', ')}.`;
    throw new Failure('usage', { message, where, hint: 'Give the whole id.' });
  }
  const message = `The worker has no lane "${given}".`;
  throw new Failure('not-found', { message, where, hint: 'See `millrace lanes` for what there is.' });
}
