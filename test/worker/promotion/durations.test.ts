import { expect, test } from 'vitest';
import { createDurations } from '../../../worker/store/advances/durations.ts';
import { testRedis } from '../../environment/redis.ts';

const redis = testRedis();
const load = { project: 'p', environment: 'test', pipeline: 'daily/load' };

test('the usual duration is the median of the last, once there are three, and all workers know it', async () => {
  const [one, two] = [
    createDurations(redis.connect(), '{a}'),
    createDurations(redis.connect(), '{a}'),
  ] as const;
  await one.record(load, 1_000);
  await one.record(load, 60_000);
  expect(await one.median(load)).toBeUndefined();
  await one.record(load, 2_000);
  expect(await two.median(load)).toBe(2_000);
  expect(await two.median({ ...load, environment: 'prod' })).toBeUndefined();
  for (let i = 0; i < 40; i += 1) await two.record(load, 5_000);
  expect(await one.median(load)).toBe(5_000);
});
