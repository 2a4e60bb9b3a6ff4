import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createManyRepositories, sweepMs } from './many-repositories.ts';

const redis = testRedis();
const count = 1_000;

test.each(['heads', 'hook'] as const)(
  '1,000 repositories need fewer than 2,500 requests an hour, and each is looked at every 15 minutes (%s)',
  { timeout: 600_000 },
  async (as) => {
    const { builders, clock, github, state, accepted, createOne } = await createManyRepositories(redis, {
      count,
      as,
    });
    const sweeper = createOne();
    const perHour: number[] = [];
    // The first hour finds the source of each repository.
    for (let hour = 0; hour < 3; hour += 1) {
      const before = github.requests.length;
      for (let sweep = 0; sweep < 12; sweep += 1) {
        await builders[hour * 12 + sweep]?.tag(`v1.${hour}.${sweep}`, 'main');
        await sweeper.tick();
        const oldest = Math.min(...(await state.looks()).values());
        expect((await state.looks()).size).toBe(count);
        expect(clock.now() - oldest).toBeLessThanOrEqual(15 * 60_000);
        await clock.advance(sweepMs);
      }
      perHour.push(github.requests.length - before);
    }
    expect(Math.max(...perHour.slice(1))).toBeLessThan(2_500);
    const refused = github.requests.filter(({ status, path }) => status !== 200 && !path.endsWith('/hooks'));
    expect(refused).toEqual([]);
    // All but the first tag, which was there when the worker began.
    if (as === 'heads') expect(accepted).toHaveLength(35);
  },
);
