import { Failure } from '../../lib/core/failure.ts';
import { anyAnswer, lanesAnswer } from './operator-answers.ts';
import { askWorker } from './operator-api.ts';
import type { Session } from './session.ts';

/**
 * Checks that the worker has this promotion or lane, and returns its id. A lane may also be given by its name in
 * millrace.yaml if the name is unique. Throws Failure 'not-found', 'usage' for an ambiguous name, and as `askWorker`.
 */
export async function findTargetId(
  session: Session,
  kind: 'lane' | 'promotion',
  given: string,
): Promise<string> {
  if (kind === 'promotion') {
    await askWorker(session, { method: 'GET', path: `promotions/${encodeURIComponent(given)}` }, anyAnswer);
    return given;
  }
  const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
  const ids = lanes.map(({ id }) => id);
  if (ids.includes(given)) return given;
  const matches = ids.filter((id) => id.endsWith(`/${given}`));
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  const where = { input: 'lane' };
  if (first !== undefined) {
    const message = `Several lanes have the name "${given}": ${matches.join(', ')}.`;
    throw new Failure('usage', {
      message,
      where,
      hint: 'Give the full id of one of them, as `millrace lanes` shows it.',
    });
  }
  const message = `The worker has no lane "${given}".`;
  throw new Failure('not-found', { message, where, hint: 'List the lanes with `millrace lanes`.' });
}
