import { meantHint } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { anyAnswer, lanesAnswer } from './operator-answers.ts';
import { askWorker } from './operator-api.ts';
import type { Session } from '../kit/session.ts';

/**
 * Checks that the worker has this promotion or lane, and returns its id. A lane may also be given by its name in
 * millrace.yaml if the name is unique. Throws Failure 'not-found', 'usage' for an ambiguous name, and as `askWorker`.
 */
export async function findTargetId(
  session: Session,
  kind: 'lane' | 'promotion',
  nameOrId: string,
): Promise<string> {
  if (kind === 'promotion') {
    await askWorker(
      session,
      { method: 'GET', path: `promotions/${encodeURIComponent(nameOrId)}` },
      anyAnswer,
    );
    return nameOrId;
  }
  const [first = '', ...others] = await findLanes(session, nameOrId);
  if (others.length === 0) return first;
  throw new Failure('usage', {
    message: `Several lanes have the name "${nameOrId}": ${[first, ...others].join(', ')}.`,
    where: { input: 'lane' },
    hint: 'Give the full id of one of them, as `millrace lanes` shows it.',
  });
}

/** The ids of the lanes with this name, or with this id: at least one. Throws Failure 'not-found', and as `askWorker`. */
export async function findLanes(session: Session, nameOrId: string): Promise<readonly string[]> {
  const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
  const ids = lanes.map(({ id }) => id);
  if (ids.includes(nameOrId)) return [nameOrId];
  const matches = ids.filter((id) => id.endsWith(`/${nameOrId}`));
  if (matches.length > 0) return matches;
  const names = ids.flatMap((id) => [id.split('/').at(-1) ?? id, id]);
  throw new Failure('not-found', {
    message: `The worker has no lane "${nameOrId}".`,
    where: { input: 'lane' },
    hint: meantHint(nameOrId, new Set(names), 'List the lanes with `millrace lanes`.'),
  });
}
