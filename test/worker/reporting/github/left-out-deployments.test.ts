import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();

test('a version that is not live any more when GitHub hears of it gets one write, and no deployment', async () => {
  const env = await createReporterEnvironment(redis);
  const versions = Array.from({ length: 10 }, (_, i) => `v${i}`);
  for (const version of versions) await env.promote(version);
  for (const version of versions) await env.sendAll(version);
  expect(env.repository.checkRuns.map(({ conclusion }) => conclusion)).toEqual(versions.map(() => 'success'));
  expect(env.shownDeployments()).toEqual(['v9 success']);
  // A check run each, one deployment, and its state.
  expect(env.writes(/check-runs|deployments/)).toBe(versions.length + 2);
});

test('a version without a deployment gets one when a roll-back makes it live again', async () => {
  const env = await createReporterEnvironment(redis);
  for (const version of ['v1', 'v2']) await env.promote(version);
  for (const version of ['v1', 'v2']) await env.sendAll(version);
  const given = { disabled: 'v2', live: 'v1', by: 'ada', via: 'api', reason: 'bad figures' } as const;
  await env.store.rolledBack(env.task.lane.id, given);
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v2 inactive', 'v1 success']);
});

test('a deployment that GitHub never created is not created later only to be closed', async () => {
  const env = await createReporterEnvironment(redis);
  const isCreation = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.endsWith('/deployments');
  env.github.interfere((request) => (isCreation(request) ? 'drop' : undefined));
  await env.promote('v1');
  await env.report('v1');
  env.github.interfere(undefined);
  await env.promote('v2');
  for (const version of ['v2', 'v1']) await env.sendAll(version);
  expect(env.shownDeployments()).toEqual(['v2 success']);
});

test('a deployment is closed when its promotion was cancelled after the answer to its creation was lost', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting v1.0.0');
  env.github.interfere(({ method, path }) =>
    method === 'POST' && path.endsWith('/deployments') ? 'lose' : undefined,
  );
  await env.report('promotion-1');
  expect(env.shownDeployments()).toEqual(['v1.0.0 no status']);
  env.github.interfere(undefined);
  await env.finish(key, 'cancelled', 'Cancelled by ada');
  await env.sendAll();
  expect(env.shownDeployments()).toEqual(['v1.0.0 inactive']);
});
