import process from 'node:process';
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

/** Other loads, to print what GitHub shows of them: `app:50:150 token:5:300` (environments, promotions an hour). */
const loads = (process.env['MILLRACE_LOADS'] ?? '').split(' ').filter((load) => load !== '');

test.runIf(loads.length > 0).each(loads)('what GitHub shows of %s', { timeout: 3_600_000 }, async (load) => {
  const [as, environments, perHour] = load.split(':');
  const shown = await measureShown(redis, {
    environments: Number(environments),
    perHour: Number(perHour),
    hours: 2,
    ...(as === 'token'
      ? { as, permissions: { contents: 'read', statuses: 'write', deployments: 'write' } }
      : {}),
  });
  process.stdout.write(`${load} ${JSON.stringify(shown)}\n`);
  expect(shown.refused).toBe(0);
});
