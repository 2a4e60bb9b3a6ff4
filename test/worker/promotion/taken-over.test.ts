import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import { oneLane } from './gates/one-lane.ts';

const redis = testRedis();

test('the history shows that an advance which did not end was begun again, and only then', async () => {
  const { ports, push } = await oneLane(redis);
  ports.memory.follow('new');
  const id = await push('v1.0.0');
  const begin = async () => {
    const begun = await ports.store.beginAdvance({ id });
    if ('status' in begun) throw new Error(begun.status);
    return begun.key;
  };
  const events = async () => (await ports.store.history({ promotion: id })).map(({ what }) => what);
  await ports.store.endAdvance(await begin());
  await begin();
  expect(await events()).toEqual(['accepted', 'activated']);
  await begin();
  expect(await events()).toEqual(['accepted', 'activated', 'begun-again']);
  // As another worker sees it: its id is not in the fence.
  await redis.connect().hset(`${ports.settings.prefix}:promotion:${id}`, 'fence', '1-another-1');
  await begin();
  expect((await events()).at(-1)).toBe('taken-over');
});
