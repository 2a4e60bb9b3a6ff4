import { Failure } from '../../lib/core/errors/failure.ts';
import { findLanes } from './find-target-id.ts';
import { askWorker } from './operator-api.ts';
import { promotionsAnswer } from './operator-answers.ts';
import type { Session } from '../kit/session.ts';

/** The command-line argument that `findWaiting` reads: its name and its description. */
export const waitingArgument = [
  '<promotion>',
  'id of the promotion, as `millrace promotions` shows it, or a lane in which one promotion waits for an approval',
] as const;

/** Promotions of a lane that are searched. */
const maxSearched = 50;

/**
 * Finds the promotion that a person decides on: by its id, or as the only promotion that waits for an approval in a
 * lane. Throws Failure 'conflict' if none or several wait in the lane, 'not-found' if the argument names neither a
 * promotion nor a lane, and as `askWorker`.
 */
export async function findWaiting(session: Session, named: string): Promise<string> {
  const lanes = await lanesNamed(session, named);
  if (lanes.length === 0) return named;
  const query = new URLSearchParams({ lane: named, limit: String(maxSearched) });
  const { promotions } = await askWorker(
    session,
    { method: 'GET', path: `promotions?${query.toString()}` },
    promotionsAnswer,
  );
  const [first, ...others] = promotions.filter(
    ({ state, version, approvals }) =>
      (state === 'queued' || state === 'active') &&
      version &&
      approvals &&
      approvals.given.length < approvals.needed,
  );
  if (first !== undefined && others.length === 0) return first.id;
  throw new Failure('conflict', {
    message:
      first === undefined
        ? `No promotion of ${named} waits for an approval.`
        : `Several promotions wait for an approval: ${[first, ...others].map(({ id, lane }) => `${id} in ${lane}`).join(', ')}.`,
    where: { input: 'promotion' },
    hint: 'Give the id of a promotion: `millrace promotions` shows what waits.',
  });
}

/** The lanes with this name or id; none if it may be the id of a promotion. */
async function lanesNamed(session: Session, named: string): Promise<readonly string[]> {
  return findLanes(session, named).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not-found') return [];
    throw error;
  });
}
