import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();
const statusesOnly = { as: 'token', permissions: { statuses: 'write', deployments: 'write' } } as const;

test('a secondary limit causes a pause of at least a minute, and then the end is sent once', async () => {
  const env = await createReporterEnvironment(redis, statusesOnly);
  await env.accept();
  await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is live in test');
  let refusals = 1;
  env.github.interfere(({ method, path }) =>
    method === 'POST' && path.includes('/statuses/') && refusals-- > 0
      ? {
          status: 403,
          headers: { 'retry-after': '7' },
          body: { message: 'You have exceeded a secondary rate limit. Please wait.' },
        }
      : undefined,
  );
  const wait = await env.report('promotion-1');
  expect(wait).toBeGreaterThanOrEqual(60_000);
  const sent = env.github.requests.length;
  // Anyone who asks in the meantime, in any worker, sends nothing.
  expect(await env.makeReporter()('promotion-1')).toBeGreaterThan(50_000);
  expect(env.github.requests).toHaveLength(sent);
  await redis.connect().del(`${env.prefix}:github:token:pause`);
  env.time.skipped += wait ?? 0;
  await env.sendAll();
  expect(env.repository.statuses.map(({ state }) => state)).toEqual(['success']);
});

test('with a used-up write budget only the end is sent, later', async () => {
  const limits = { perMinute: 3, perHour: 500, gapMs: 0 };
  const env = await createReporterEnvironment(redis, { ...statusesOnly, limits });
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'one');
  // What is on its way may use two of the three: the status, and the deployment without its state.
  expect(await env.report('promotion-1')).toBeGreaterThan(10_000);
  await env.say(key, 'two');
  expect(await env.report('promotion-1')).toBeGreaterThan(10_000);
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  expect(await env.report('promotion-1')).toBeGreaterThan(10_000);
  for (const what of ['writes', 'minute']) await redis.connect().del(`${env.prefix}:github:token:${what}`);
  await env.sendAll();
  const reported = env.repository.statuses.map(({ description }) => description);
  expect(reported).not.toContain('two');
  expect(reported.at(-1)).toBe('v1.0.0 is live in test');
  expect(reported.filter((text) => text === 'v1.0.0 is live in test')).toHaveLength(1);
});

test('GitHub keeps a thousand statuses of a context: the last hundred are left for ends', async () => {
  const env = await createReporterEnvironment(redis, statusesOnly);
  await env.accept();
  const key = await env.beginAdvance();
  const { statuses } = env.repository;
  await redis.connect().set(`${env.prefix}:github:count:${env.commit}:millrace/to-test`, '900');
  await env.say(key, 'Promoting');
  await env.sendAll();
  expect(statuses).toEqual([]);
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  expect(statuses.map(({ state }) => state)).toEqual(['success']);
});

test('what GitHub refuses permanently is given up, and the promotion’s history shows this', async () => {
  const env = await createReporterEnvironment(redis, statusesOnly);
  await env.accept();
  await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is live in test');
  env.github.interfere(({ method, path }) =>
    method === 'POST' && path.includes('/statuses/')
      ? { status: 422, body: { message: 'This SHA and context has reached the maximum number of statuses.' } }
      : undefined,
  );
  expect(await env.report('promotion-1')).toBeUndefined();
  expect((await env.store.history({ promotion: 'promotion-1' })).at(-1)).toMatchObject({
    what: 'report-given-up',
    data: expect.stringContaining('maximum number of statuses'),
  });
  expect(await redis.connect().scard(`${env.prefix}:open`)).toBe(0);
});

test('an end is retried for a day through any faults and sent once', async () => {
  const env = await createReporterEnvironment(redis, statusesOnly);
  await env.accept();
  await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is live in test');
  const faults = ['drop', { status: 502, body: {} }, 'lose', 'drop', { status: 500, body: {} }] as const;
  let advance = 0;
  env.github.interfere(({ method }) => (method === 'POST' ? faults[advance++] : undefined));
  await env.sendAll();
  expect(env.repository.statuses.map(({ state }) => state)).toEqual(['success']);

  const started = Date.now();
  const never = await createReporterEnvironment(redis, { ...statusesOnly, reportForMs: 60_000 });
  await never.accept();
  await never.finish(await never.beginAdvance(), 'passed', 'v1.0.0 is live in test');
  never.github.interfere(({ method }) => (method === 'POST' ? 'drop' : undefined));
  await never.sendAll();
  // By the clock of the sender, which is the machine's and what was skipped.
  expect(Date.now() - started + never.time.skipped).toBeGreaterThan(60_000);
  expect(never.repository.statuses).toEqual([]);
});

test.each(['app', 'token'] as const)(
  'a repository that was renamed since the push is found by its id, and reported under its new name (%s)',
  async (as) => {
    const env = await createReporterEnvironment(redis, { as });
    await env.accept();
    await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is live in test');
    const key = `${env.prefix}:promotion:run-1`;
    const task = JSON.stringify(env.task).replace('example/warehouse', 'example/old-name');
    await redis.connect().hset(key, 'task', task);
    env.github.interfere(({ path }) =>
      path.startsWith('/repos/example/old-name')
        ? { status: 301, headers: { location: `${env.github.apiUrl}/repositories/77` }, body: {} }
        : undefined,
    );
    await env.sendAll();
    const { statuses, checkRuns } = env.repository;
    expect(as === 'app' ? checkRuns : statuses).toHaveLength(1);
  },
);
