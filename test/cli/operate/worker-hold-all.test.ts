import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../worker/app/lane-store.ts';
import { testRedis } from '../../environment/redis.ts';
import { promotionTask } from '../../worker/store/promotion-task.ts';
import { inProcess } from '../in-process.ts';

const redis = testRedis();
const [lane, newLane] = ['77/p/to-test', '77/p/to-prod'];

test('millrace worker hold-all holds every lane without a worker, also one that the backup does not have', async () => {
  const keys = keysUnder('{millrace}');
  const store = createLaneStore(redis.connect(), keys, systemClock);
  await redis.connect().set(keys.state, 'new-1');
  const accept = async (id: string) =>
    store.accept({
      promotionId: id,
      task: promotionTask('v1', { id, lane: id.slice(5) }),
      order: 'differs',
      head: { field: 'refs/tags/v1', value: 'a'.repeat(40) },
    });
  await accept(lane);
  const { address } = redis;
  const env = { MILLRACE_REDIS_URL: address.kind === 'socket' ? address.path : '' };
  const command = ['worker', 'hold-all', '--reason', 'backup of Monday', '--json'];

  const planned = await inProcess([...command, '--dry-run'], { env });
  expect(JSON.parse(planned.stdout)).toEqual({ dryRun: true, held: [lane], reason: 'backup of Monday' });
  expect((await store.lane(lane))?.holds).toEqual([]);

  await redis.connect().config('SET', 'appendfsync', 'always');
  const done = await inProcess(command, { env });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toEqual({ held: [lane], reason: 'backup of Monday', durable: true });
  expect((await store.lane(lane))?.holds).toMatchObject([{ cause: 'manual', reason: 'backup of Monday' }]);
  await accept(newLane);
  expect(await store.lane(newLane)).toMatchObject({ active: undefined, holds: [{ cause: 'state-lost' }] });
});
