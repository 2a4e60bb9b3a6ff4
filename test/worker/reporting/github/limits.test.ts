import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { scene } from './reporter-environment.ts';

const redis = testRedis();
const statusesOnly = { as: 'token', permissions: { statuses: 'write', deployments: 'write' } } as const;

test('a secondary limit is waited out for a minute at least, and then the end is told once', async () => {
  const around = await scene(redis, statusesOnly);
  await around.accept();
  await around.finish(await around.begin(), 'passed', 'v1.0.0 is live in test');
  let refusals = 1;
  around.github.interfere(({ method, path }) =>
    method === 'POST' && path.includes('/statuses/') && refusals-- > 0
      ? {
          status: 403,
          headers: { 'retry-after': '7' },
          body: { message: 'You have exceeded a secondary rate limit. Please wait.' },
        }
      : undefined,
  );
  const wait = await around.report('promotion-1');
  expect(wait).toBeGreaterThanOrEqual(60_000);
  const sent = around.github.requests.length;
  // Whoever asks meanwhile, in any worker, sends nothing.
  expect(await around.makeReporter()('promotion-1')).toBeGreaterThan(50_000);
  expect(around.github.requests).toHaveLength(sent);
  await redis.connect().del(`${around.prefix}:github:token:pause`);
  around.time.skipped += wait ?? 0;
  await around.tellAll();
  expect(around.repository.statuses.map(({ state }) => state)).toEqual(['success']);
});

test('when the allowance is used up, an end is told later, and only the end', async () => {
  const limits = { perMinute: 3, perHour: 500, gapMs: 0 };
  const around = await scene(redis, { ...statusesOnly, limits });
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'one');
  // What is on its way may use two of the three: the status, and the deployment without its state.
  expect(await around.report('promotion-1')).toBeGreaterThan(10_000);
  await around.say(key, 'two');
  expect(await around.report('promotion-1')).toBeGreaterThan(10_000);
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  expect(await around.report('promotion-1')).toBeGreaterThan(10_000);
  await redis.connect().del(`${around.prefix}:github:token:writes`);
  await around.tellAll();
  const told = around.repository.statuses.map(({ description }) => description);
  expect(told).not.toContain('two');
  expect(told.at(-1)).toBe('v1.0.0 is live in test');
  expect(told.filter((text) => text === 'v1.0.0 is live in test')).toHaveLength(1);
});

test('GitHub keeps a thousand statuses of a context: the last hundred are left for ends', async () => {
  const around = await scene(redis, statusesOnly);
  await around.accept();
  const key = await around.begin();
  const { statuses } = around.repository;
  await redis.connect().set(`${around.prefix}:github:count:${around.commit}:millrace/to-test`, '900');
  await around.say(key, 'Promoting');
  await around.tellAll();
  expect(statuses).toEqual([]);
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  expect(statuses.map(({ state }) => state)).toEqual(['success']);
});

test('what GitHub refuses for good is given up, and the promotion’s history says so', async () => {
  const around = await scene(redis, statusesOnly);
  await around.accept();
  await around.finish(await around.begin(), 'passed', 'v1.0.0 is live in test');
  around.github.interfere(({ method, path }) =>
    method === 'POST' && path.includes('/statuses/')
      ? { status: 422, body: { message: 'This SHA and context has reached the maximum number of statuses.' } }
      : undefined,
  );
  expect(await around.report('promotion-1')).toBeUndefined();
  expect((await around.store.history({ promotion: 'promotion-1' })).at(-1)).toMatchObject({
    what: 'report-given-up',
    data: expect.stringContaining('maximum number of statuses'),
  });
  expect(await redis.connect().scard(`${around.prefix}:open`)).toBe(0);
});

test('an end is tried for a day, through faults of any kind, and told once in the end', async () => {
  const around = await scene(redis, statusesOnly);
  await around.accept();
  await around.finish(await around.begin(), 'passed', 'v1.0.0 is live in test');
  const faults = ['drop', { status: 502, body: {} }, 'lose', 'drop', { status: 500, body: {} }] as const;
  let advance = 0;
  around.github.interfere(({ method }) => (method === 'POST' ? faults[advance++] : undefined));
  await around.tellAll();
  expect(around.repository.statuses.map(({ state }) => state)).toEqual(['success']);

  const never = await scene(redis, { ...statusesOnly, reportForMs: 60_000 });
  await never.accept();
  await never.finish(await never.begin(), 'passed', 'v1.0.0 is live in test');
  never.github.interfere(({ method }) => (method === 'POST' ? 'drop' : undefined));
  await never.tellAll();
  expect(never.time.skipped).toBeGreaterThan(60_000);
  expect(never.repository.statuses).toEqual([]);
});

test.each(['app', 'token'] as const)(
  'a repository that was renamed since the push is found by its id, and told under its new name (%s)',
  async (as) => {
    const around = await scene(redis, { as });
    await around.accept();
    await around.finish(await around.begin(), 'passed', 'v1.0.0 is live in test');
    const key = `${around.prefix}:promotion:run-1`;
    const plan = JSON.stringify(around.plan).replace('example/warehouse', 'example/old-name');
    await redis.connect().hset(key, 'plan', plan);
    around.github.interfere(({ path }) =>
      path.startsWith('/repos/example/old-name')
        ? { status: 301, headers: { location: `${around.github.apiUrl}/repositories/77` }, body: {} }
        : undefined,
    );
    await around.tellAll();
    const { statuses, checkRuns } = around.repository;
    expect(as === 'app' ? checkRuns : statuses).toHaveLength(1);
  },
);
