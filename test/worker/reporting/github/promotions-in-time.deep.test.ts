import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { measureShown } from './shown-in-time.ts';

const redis = testRedis();

test.each([50])(
  'GitHub shows each of 150 promotions an hour to %i environments within a minute, with its deployment',
  { timeout: 900_000 },
  async (environments) => {
    const { ended, ends, deployments, refused } = await measureShown(redis, {
      environments,
      perHour: 150,
      hours: 2,
    });
    expect({ ends, deployments, refused }).toEqual({ ends: ended, deployments: ended, refused: 0 });
    expect(ended).toBeGreaterThanOrEqual(150);
  },
);
