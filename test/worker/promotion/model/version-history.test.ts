import fc from 'fast-check';
import { test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createModelEnvironment } from './model-environment.ts';
import { histories, playHistory } from './version-history.ts';

const redis = testRedis();
const count = 8;

test('in random histories, the lane agrees with the platform and the model', async () => {
  const env = await createModelEnvironment(redis, count);
  for (const [n, history] of fc.sample(histories, { numRuns: count, seed: 20_261_122 }).entries())
    await playHistory(env, n, history);
});
