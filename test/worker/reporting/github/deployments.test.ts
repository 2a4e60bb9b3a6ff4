import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { scene } from './reporter-environment.ts';

const redis = testRedis();

test('a promotion is one deployment: queued, in progress, success, with an address from worker.yaml', async () => {
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Waiting', 'resolve');
  await around.tellAll();
  await around.say(key, 'Promoting v1.0.0');
  await around.tellAll();
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  const { deployments } = around.repository;
  expect(deployments).toMatchObject([
    {
      sha: around.commit,
      environment: 'test',
      payload: { promotion: 'promotion-1', lane: 'to-test', version: 'v1.0.0' },
      statuses: [
        { state: 'queued', log_url: 'https://worker.example.com/promotions/promotion-1' },
        { state: 'in_progress' },
        { state: 'success', environment_url: 'https://test.example.com' },
      ],
    },
  ]);
  const made = around.github.requests.find(
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
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Promoting v1.0.0');
  await around.tellAll();
  await around.finish(key, outcome, 'It is over');
  await around.tellAll();
  expect(around.repository.deployments.map(({ statuses }) => statuses.map((one) => one.state))).toEqual([
    ['in_progress', state],
  ]);
});

test('a promotion that never had its turn makes no deployment', async () => {
  const around = await scene(redis);
  await around.accept('promotion-1');
  await around.accept('promotion-2');
  await around.accept('promotion-3');
  await around.tellAll('promotion-2');
  expect((await around.store.promotion('promotion-2'))?.outcome).toBe('superseded');
  expect(around.repository.checkRuns).toMatchObject([{ external_id: 'promotion-2', conclusion: 'neutral' }]);
  expect(around.repository.deployments).toEqual([]);
});

test('a deployment whose making was never answered is found by commit and environment; its states are each set once', async () => {
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Promoting v1.0.0');
  const lost = new Set<string>();
  // The first of each kind of write arrives, and its answer does not.
  around.github.interfere(({ method, path }) => {
    if (method !== 'POST' || !path.includes('/deployments')) return undefined;
    const kind = path.replace(/\d+/g, '');
    if (lost.has(kind)) return undefined;
    lost.add(kind);
    return 'lose';
  });
  await around.tellAll();
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  expect(lost.size).toBe(2);
  expect(around.repository.deployments.map(({ statuses }) => statuses.map(({ state }) => state))).toEqual([
    ['in_progress', 'success'],
  ]);
});

test('a token that may make no deployments is said once, and the status is told all the same', async () => {
  const around = await scene(redis, { as: 'token', permissions: { statuses: 'write' } });
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Promoting v1.0.0');
  await around.tellAll();
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  expect(around.repository.statuses.map(({ state }) => state)).toEqual(['pending', 'success']);
  expect(around.writes(/\/deployments$/)).toBe(1);
  expect(around.warnings).toEqual([expect.stringContaining('deployments')]);
});
