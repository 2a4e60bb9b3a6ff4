import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();

test('a promotion is one deployment: queued, in progress, success, with an address from worker.yaml', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Waiting', 'resolve');
  await env.sendAll();
  await env.say(key, 'Promoting v1.0.0');
  await env.sendAll();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  const { deployments } = env.repository;
  expect(deployments).toMatchObject([
    {
      sha: env.commit,
      environment: 'test',
      payload: { promotion: 'promotion-1', lane: 'to-test', version: 'v1.0.0' },
      statuses: [
        { state: 'queued', log_url: 'https://worker.example.com/promotions/promotion-1' },
        { state: 'in_progress' },
        { state: 'success', environment_url: 'https://test.example.com' },
      ],
    },
  ]);
  const made = env.github.requests.find(
    ({ method, path }) => method === 'POST' && path.endsWith('/deployments'),
  );
  expect(made?.body).toMatchObject({ auto_merge: false, required_contexts: [] });
});

test.each([
  ['failed', 'failure'],
  ['error', 'error'],
  ['indeterminate', 'error'],
  ['cancelled', 'inactive'],
  ['superseded', 'inactive'],
] as const)('a deployment of a promotion that ended %s is %s', async (outcome, state) => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting v1.0.0');
  await env.sendAll();
  await env.finish(key, outcome, 'It is over');
  await env.sendAll();
  expect(env.repository.deployments.map(({ statuses }) => statuses.map((one) => one.state))).toEqual([
    ['in_progress', state],
  ]);
});

test('a promotion that never started creates no deployment', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept('promotion-1');
  await env.accept('promotion-2');
  await env.accept('promotion-3');
  await env.sendAll('promotion-2');
  expect((await env.store.promotion('promotion-2'))?.outcome).toBe('superseded');
  expect(env.repository.checkRuns).toMatchObject([{ external_id: 'promotion-2', conclusion: 'neutral' }]);
  expect(env.repository.deployments).toEqual([]);
});

test('a deployment whose making was never answered is found by commit and environment; its states are each set once', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting v1.0.0');
  const lost = new Set<string>();
  // The first of each kind of write arrives, and its answer does not.
  env.github.interfere(({ method, path }) => {
    if (method !== 'POST' || !path.includes('/deployments')) return undefined;
    const kind = path.replace(/\d+/g, '');
    if (lost.has(kind)) return undefined;
    lost.add(kind);
    return 'lose';
  });
  await env.sendAll();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  expect(lost.size).toBe(2);
  expect(env.repository.deployments.map(({ statuses }) => statuses.map(({ state }) => state))).toEqual([
    ['in_progress', 'success'],
  ]);
});

test('a missing permission for deployments is logged once, and the status is still sent', async () => {
  const env = await createReporterEnvironment(redis, { as: 'token', permissions: { statuses: 'write' } });
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting v1.0.0');
  await env.sendAll();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  expect(env.repository.statuses.map(({ state }) => state)).toEqual(['pending', 'success']);
  expect(env.writes(/\/deployments$/)).toBe(1);
  expect(env.warnings).toEqual([
    'The worker may not create deployments on GitHub. It creates none until it may.',
  ]);
  expect(env.warningFields).toMatchObject([{ hint: expect.stringContaining('deployments: write') }]);
});
