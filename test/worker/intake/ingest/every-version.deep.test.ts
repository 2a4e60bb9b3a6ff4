import { test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { expectEveryVersion } from './every-version.ts';

const redis = testRedis();

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'with the policy every, thirty tags are promoted in order in the interleaving %i of two workers',
  async (seed) => {
    await expectEveryVersion(redis, 30, seed);
  },
);
