import { repositoryOf } from '../../store/lanes/lane-id.ts';
import { mayTouch, type Operator } from '../../operators/operator.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Records } from '../../promotion/context/ports.ts';
import type { Route } from './routes.ts';

/** Whether the operator may access the subject of a route. For others it does not exist. */
export async function mayAccess(
  about: Route['about'],
  id: string,
  operator: Operator,
  { store }: Records<LaneReads>,
): Promise<boolean> {
  // Ids contain no colon: it separates a lane or a promotion from its other keys in Redis.
  if ((about === 'lane' || about === 'promotion') && id.includes(':')) return false;
  switch (about) {
    case 'lane':
      return (await store.lane(id)) !== undefined && mayTouch(operator, repositoryOf(id));
    case 'promotion': {
      const promotion = await store.promotion(id);
      return promotion !== undefined && mayTouch(operator, promotion.task.repository.id);
    }
    case 'own':
      return true;
    case 'all':
      return operator.repositories === 'all';
  }
}
