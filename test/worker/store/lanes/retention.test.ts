import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../../worker/app/lane-store.ts';
import { testRedis } from '../../../environment/redis.ts';
import { promotionTask } from '../promotion-task.ts';

const redis = testRedis();
const day = 86_400_000;
const future = systemClock.now() + day;

function begin() {
  const keys = keysUnder(`{r-${randomUUID().slice(0, 8)}}`);
  const connection = redis.connect();
  const ended: string[] = [];
  // Before anything else that goes over it.
  void connection.set(keys.state, 'new');
  const store = createLaneStore(connection, keys, systemClock, (outcome, count) =>
    ended.push(...Array.from({ length: count }, () => outcome)),
  );
  const accept = (
    lane: string,
    id: string,
    policy: 'latest' | 'every' = 'latest',
    order: 'differs' | 'older' = 'differs',
  ) =>
    store.accept({
      promotionId: id,
      task: promotionTask(id, { lane, policy }),
      order,
      head: { field: `refs/tags/${id}`, value: 'a'.repeat(40) },
    });
  async function finish(id: string, verified = '') {
    const promotion = await store.promotion(id);
    const begun = promotion === undefined ? undefined : await store.beginAdvance(promotion);
    if (begun === undefined || 'status' in begun) throw new Error(`the lane is not ${id}’s`);
    await store.finish(begun.key, {
      outcome: 'passed',
      message: '',
      report: { state: 'success', text: 'live' },
      verified,
      state: 'finished',
    });
  }
  async function over(lane: string, id: string) {
    await accept(lane, id);
    await finish(id, id);
    await store.giveUpReport(id);
  }
  return { keys, connection, store, accept, finish, over, ended };
}

test('a hundred old promotions that are not over keep no younger one from being forgotten', async () => {
  const { store, accept, over } = begin();
  for (let i = 0; i < 105; i += 1) await accept('stuck', `open-${i}`, 'every');
  await over('to-test', 'done');
  expect(await store.forget(future)).toBe(1);
  expect(await store.promotion('done')).toBeUndefined();
  expect(await store.promotion('open-0')).toBeDefined();
});

test('a round checks a thousand promotions at most; the next continues after them, then from the oldest', async () => {
  const { store, over, keys, connection } = begin();
  const ids = Array.from({ length: 1_100 }, (_, i) => `open-${String(i).padStart(4, '0')}`);
  await connection.zadd(keys.promotions, ...ids.flatMap((id, i) => [i, id]));
  await connection.sadd(keys.open, ...ids);
  await over('to-test', 'done');
  expect(await store.forget(future)).toBe(0);
  expect(await store.forget(future)).toBe(1);
  // In the meantime the oldest of all has come to its end.
  await connection.srem(keys.open, 'open-0000');
  expect(await store.forget(future)).toBe(1);
  expect(await store.promotionIds(2_000)).toHaveLength(1_099);
});

test('what lanes did and who did what goes after its time, and no sooner', async () => {
  const { store, accept, keys, connection } = begin();
  await accept('to-test', 'r1');
  const now = systemClock.now();
  const pipeline = connection.pipeline();
  for (const key of [keys.history({ lane: '77/p/to-test' }), keys.audit]) {
    for (let i = 0; i < 500; i += 1)
      pipeline.xadd(key, `${now - 100 * day + i}-0`, 'at', now - 100 * day + i, 'what', 'held', 'data', '');
  }
  await pipeline.exec();
  await store.hold('77/p/to-test', { cause: 'manual', by: 'ada', reason: 'month end', since: now });
  const kept = async () => [
    (await store.history({ lane: '77/p/to-test' })).length,
    (await store.auditEntries(1_000)).length,
  ];
  await store.trim({ lanes: now - 101 * day, audit: now - 101 * day });
  expect(await kept()).toEqual([501, 501]);
  await store.trim({ lanes: now - 99 * day, audit: now - 101 * day });
  const [ofLane = 0, ofAudit] = await kept();
  // Whole nodes of a hundred go.
  expect(ofLane).toBeLessThanOrEqual(101);
  expect(ofAudit).toBe(501);
  expect((await store.history({ lane: '77/p/to-test' })).at(-1)?.what).toBe('held');
  await store.trim({ lanes: now - 99 * day, audit: now - 99 * day });
  expect((await kept())[1]).toBeLessThanOrEqual(101);
  expect((await store.auditEntries(1))[0]).toMatchObject({ act: 'hold', by: 'ada' });
});

test('the promotions of a lane are found without others’, newest first, and go with the run', async () => {
  const { store, accept, over, keys, connection } = begin();
  await over('to-test', 'v1');
  await accept('to-prod', 'p1');
  await accept('to-test', 'v2');
  const lanes = ['77/p/to-test', '77/p/to-prod'];
  await connection.zadd(keys.promotionsOf('77/p/to-test'), 1, 'v1', 3, 'v2');
  await connection.zadd(keys.promotionsOf('77/p/to-prod'), 2, 'p1');
  expect(await store.promotionIdsOf(lanes.slice(0, 1), 10)).toEqual(['v2', 'v1']);
  expect(await store.promotionIdsOf(lanes, 10)).toEqual(['v2', 'p1', 'v1']);
  expect(await store.promotionIdsOf(lanes, 2)).toEqual(['v2', 'p1']);
  expect(await store.forget(future)).toBe(1);
  expect(await store.promotionIdsOf(lanes, 10)).toEqual(['v2', 'p1']);
});

test('promotions that end without an advance are counted: superseded in the queue, late, or cancelled', async () => {
  const { store, accept, finish, ended, keys, connection } = begin();
  await accept('to-test', 'r1');
  await accept('to-test', 'r2');
  expect(ended).toEqual([]);
  await accept('to-test', 'r3');
  expect(ended).toEqual(['superseded']);
  await accept('to-test', 'late', 'latest', 'older');
  expect(ended).toEqual(['superseded', 'superseded']);
  await accept('other', 'o1', 'every');
  await accept('other', 'o2', 'every');
  await accept('other', 'o3', 'every');
  await store.cancel('o3', 'ada');
  expect(ended.slice(2)).toEqual(['cancelled']);
  // What is live has passed o2 by, as after a promotion beyond it was resolved by hand.
  await connection.hset(keys.lane('77/p/other'), { liveSeq: 9, liveVersion: 'v9' });
  await finish('o1');
  expect(ended.slice(3)).toEqual(['superseded']);
});
