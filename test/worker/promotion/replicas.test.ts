import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import { oneLane } from './gates/one-lane.ts';

const redis = testRedis();

test('a promotion whose record no replica of Redis has is not sent, and waits', async () => {
  const lane = await oneLane(redis, { replicas: 1 });
  const promotion = await lane.advance(await lane.push('v1.0.0'));
  expect(promotion).toMatchObject({
    step: { name: 'promote' },
    intent: undefined,
    report: { state: 'pending', text: 'Waiting: too few replicas of Redis have the records' },
  });
  expect(lane.promotions()).toBe(0);
});
