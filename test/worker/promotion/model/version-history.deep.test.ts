import fc from 'fast-check';
import { test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createModelEnvironment } from './model-environment.ts';
import { histories, playHistory } from './version-history.ts';

const redis = testRedis();
/** Histories of one platform. */
const count = 100;

test.each(Array.from({ length: 30 }, (_, i) => 1_000 + i))(
  'in 100 random histories of seed %i, the lane says what the platform and the model say',
  async (seed) => {
    const env = await createModelEnvironment(redis, count);
    const all = fc.sample(histories, { numRuns: count, seed });
    for (const [n, history] of all.entries()) {
      await playHistory(env, n, history).catch((error: unknown) => {
        throw new Error(`history ${n} of seed ${seed}: ${JSON.stringify(history)}`, { cause: error });
      });
    }
  },
);
