import { expect, test } from 'vitest';
import { promotionsOf } from '../../../worker/web/api/operations/promotions.ts';
import { findPromotions } from '../../../worker/web/api/operations/search-promotions.ts';
import type { Operator } from '../../../worker/operators/operator.ts';
import { testRedis } from '../../environment/redis.ts';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import { portsOn } from '../promotion/ports-on.ts';
import { promotionTask } from '../store/promotion-task.ts';
import { createWorkerEnvironment } from '../../environment/worker/worker-environment.ts';

const redis = testRedis();

test('the promotions of a lane cost as many reads as are shown, however many there are of others', async () => {
  await using env = await createWorkerEnvironment({ lanes: toTest });
  const ports = portsOn(redis, env, env.wire);
  const accept = async (repository: number, lane: string, id: string) =>
    ports.store.accept({
      promotionId: id,
      order: 'any',
      head: { field: '', value: '' },
      task: {
        ...promotionTask('', { repository, lane, ref: 'refs/heads/main' }),
        version: { kind: 'latest' },
      },
    });
  for (let i = 0; i < 3; i += 1) await accept(77, 'quiet', `quiet-${i}`);
  for (let i = 0; i < 60; i += 1) await accept(77, 'busy', `busy-${i}`);
  await accept(78, 'quiet', 'theirs');

  let reads = 0;
  const store = {
    ...ports.store,
    promotion: (id: string) => {
      reads += 1;
      return ports.store.promotion(id);
    },
  };
  const list = async (repositories: Operator['repositories'], lane: string | null, limit = 50) => {
    const operator: Operator = { name: 'ada', role: 'viewer', repositories };
    reads = 0;
    const found = await promotionsOf({ operator, ports: { ...ports, store } }, lane, limit);
    return found.map(({ id }) => id).toSorted();
  };
  const quiet = ['quiet-0', 'quiet-1', 'quiet-2'];
  expect(await list([77], 'quiet')).toEqual(quiet);
  expect(reads).toBe(3);
  expect(await list('all', '77/p/quiet')).toEqual(quiet);
  expect(reads).toBe(3);
  expect(await list('all', 'quiet')).toEqual([...quiet, 'theirs']);
  expect(await list([78], null)).toEqual(['theirs']);
  expect(reads).toBe(1);
  expect(await list([78], '77/p/quiet')).toEqual([]);
  expect(await list('all', 'no such lane')).toEqual([]);
  expect(await list('all', null, 10)).toHaveLength(10);
  expect(reads).toBe(10);

  const search = async (q: string, lane: string | null = null) => {
    const operator: Operator = { name: 'ada', role: 'viewer', repositories: 'all' };
    const found = await findPromotions({ operator, ports, query: new URLSearchParams({ q }) }, lane, 5);
    return found.map(({ id }) => id);
  };
  expect(await search('QUIET  main')).toHaveLength(4);
  expect(await search('busy-17')).toEqual(['busy-17']);
  expect(await search('superseded busy', 'busy')).toHaveLength(5);
  expect(await search('busy nowhere')).toEqual([]);

  const ended = (await ports.metrics.promotionsFinished.get()).values;
  // Each newer promotion of a lane took the place of the one that waited.
  expect(ended).toEqual([{ labels: { outcome: 'superseded' }, value: 1 + 58 }]);
});
