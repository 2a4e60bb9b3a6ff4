import { expect, test } from 'vitest';
import { openAdvance } from '../../../worker/promotion/advance/advance.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { oneLane } from './gates/one-lane.ts';

const redis = testRedis();

test('what runs beside an advance has ended before the next event counts as recorded', async () => {
  const { ports, push } = await oneLane(redis);
  const promotion = await push('v1.0.0');
  const begun = await ports.store.beginAdvance({ id: promotion });
  if ('status' in begun) throw new Error('no advance');
  const advance = openAdvance(begun, ports, new AbortController().signal);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  advance.alongside(first.promise);
  advance.alongside(second.promise);
  const order: string[] = [];
  const saved = advance.save({ what: 'saved' }).then(() => order.push('saved'));
  const events = async () => (await ports.store.history({ promotion })).map(({ what }) => what);
  await eventually(events).toContain('saved');
  first.resolve();
  // Another command: by then, an answer that waited for nothing would have been here.
  await events();
  order.push('second');
  second.resolve();
  await saved;
  expect(order).toEqual(['second', 'saved']);
});
