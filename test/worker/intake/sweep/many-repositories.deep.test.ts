import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createManyRepositories, sweepMs } from './many-repositories.ts';

const redis = testRedis();
const count = 1_000;
const hours = 24;
const sweepsPerHour = 3_600_000 / sweepMs;

test.each(['heads', 'hook'] as const)(
  'for 24 hours, 1,000 repositories need fewer than 2,500 requests an hour, and each is looked at every 15 minutes (%s)',
  { timeout: 900_000 },
  async (as) => {
    const { builders, clock, github, state, accepted, createOne } = await createManyRepositories(redis, {
      count,
      as,
    });
    const sweeper = createOne();
    const perHour: number[] = [];
    let oldestMs = 0;
    for (let hour = 0; hour < hours; hour += 1) {
      const before = github.requests.length;
      await builders[hour]?.tag(`v1.${hour}.0`, 'main');
      for (let sweep = 0; sweep < sweepsPerHour; sweep += 1) {
        await sweeper.tick();
        await clock.advance(sweepMs);
        const looks = await state.looks();
        expect(looks.size).toBe(count);
        oldestMs = Math.max(oldestMs, clock.now() - Math.min(...looks.values()));
      }
      perHour.push(github.requests.length - before);
    }
    // The first hour finds the source of each repository.
    expect(Math.max(...perHour.slice(1))).toBeLessThan(2_500);
    expect(oldestMs).toBeLessThanOrEqual(15 * 60_000);
    const refused = github.requests.filter(({ status, path }) => status !== 200 && !path.endsWith('/hooks'));
    expect(refused).toEqual([]);
    // All but the first tag, which was there when the worker began.
    if (as === 'heads') expect(accepted).toHaveLength(hours - 1);
  },
);
