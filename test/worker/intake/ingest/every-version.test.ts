import { test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { expectEveryVersion } from './every-version.ts';

const redis = testRedis();

test('with the policy every, ten tags pushed to two workers are promoted, all and in order', async () => {
  await expectEveryVersion(redis, 10, 20_261_122);
});
