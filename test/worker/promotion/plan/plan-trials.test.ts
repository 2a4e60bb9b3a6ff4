import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { runTrials, trialLane } from './plan-trials.ts';

const redis = testRedis();

test('what changes after an approval stops the effect, or is found after it and held, in 12 trials', async () => {
  const trials = await runTrials(await trialLane(redis), { seed: 46, count: 12 });
  expect(trials.filter(({ expected, found }) => !expected.split(' or ').includes(found))).toEqual([]);
  expect(new Set(trials.map(({ found }) => found))).toEqual(new Set(['no effect', 'held', 'passed']));
});
