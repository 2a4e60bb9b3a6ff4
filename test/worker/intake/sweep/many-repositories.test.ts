import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createManyRepositories, sweepMs } from './many-repositories.ts';

const redis = testRedis();

test('a sweep looks at fifty repositories with one request, and finds what was pushed', async () => {
  const { builders, clock, github, state, accepted, createOne } = await createManyRepositories(redis, {
    count: 60,
    as: 'heads',
  });
  const sweeper = createOne();
  await sweeper.tick();
  const counted = () =>
    Object.groupBy(github.requests, ({ path }) => (path === '/graphql' ? 'looks' : 'others'));
  const { looks: first = [], others: sources = [] } = counted();
  expect(first).toHaveLength(2);
  // Whether the token sees the webhooks of a repository.
  expect(new Set(sources.map(({ path }) => path.split('/').at(-1)))).toEqual(new Set(['hooks']));

  await builders[57]?.tag('v1.0.0', 'main');
  await clock.advance(sweepMs);
  await sweeper.tick();
  expect(accepted.map(({ repositoryName, ref }) => [repositoryName, ref])).toEqual([
    ['example/repository-57', 'refs/tags/v1.0.0'],
  ]);
  // Two looks, and the commit of the tag that was found.
  expect(github.requests).toHaveLength(first.length + sources.length + 3);
  expect(new Set((await state.readTimes()).values())).toEqual(new Set([clock.now()]));
});

test('a repository that GitHub does not show is asked about by itself, and does not stop the others', async () => {
  const { builders, clock, state, accepted, createOne } = await createManyRepositories(redis, {
    count: 3,
    as: 'heads',
    only: [1, 3],
  });
  const sweeper = createOne();
  await sweeper.tick();
  await builders[2]?.tag('v1.0.0', 'main');
  await clock.advance(sweepMs);
  await sweeper.tick();
  expect(accepted.map(({ ref }) => ref)).toEqual(['refs/tags/v1.0.0']);
  expect([...(await state.readTimes()).keys()].toSorted((a, b) => a - b)).toEqual([1, 3]);
});

test('where half of the allowance is used, a sweep sends nothing but looks, and the next hour continues with the rest', async () => {
  const { clock, github, port, createOne } = await createManyRepositories(redis, {
    count: 30,
    as: 'hook',
    requestsPerHour: 40,
  });
  const sweeper = createOne();
  const reads = () => github.requests.filter(({ path }) => path !== '/graphql').length;
  await sweeper.tick();
  expect(reads()).toBe(21);
  expect(port.allowances.all()).toContainEqual(
    expect.objectContaining({ resource: 'core', limit: 40, remaining: 19 }),
  );
  await clock.advance(sweepMs);
  await sweeper.tick();
  expect(reads()).toBe(21);
  await clock.advance(3_600_000);
  await sweeper.tick();
  expect(reads()).toBe(42);
  expect(github.requests.every(({ status }) => status === 200)).toBe(true);
});
