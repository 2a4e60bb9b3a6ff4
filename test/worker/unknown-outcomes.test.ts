import { expect, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  holdOf,
  loseStart,
  resumeLane,
  pushed,
  release,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { askWorker, projectId, type ShownPromotion } from '../environment/worker/worker-environment.ts';
import { eventually } from '../environment/worker/eventually.ts';

const redis = testRedis();

test('a promotion whose answer is lost is read back, not sent again', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  env.wire.interfere(({ path }) => (path.endsWith('/promotions') ? 'lose' : undefined));
  await pushed(env, worker, 'v1.0.0');
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion.outcome).toBe('passed');
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(1);
  // The client looked at the list itself, so that the promotion heard an answer.
  expect(promotion.history?.map(({ what }) => what)).toContain('promoted');
});

test('a promotion whose answer is lost does not pass when its version turns out to be disabled', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  env.wire.interfere(async ({ path, method }) => {
    if (path.endsWith('/promotions')) return 'lose';
    const found =
      method === 'GET' && path.includes('/artifacts') && env.wire.count('POST', '/promotions') > 0;
    const version = { projectId, environmentName: 'test', versionName: 'v1.0.0', enabled: false };
    if (found) await env.client.artifacts.setEnabled(version).catch(() => {});
    return undefined;
  });
  await pushed(env, worker, 'v1.0.0');
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'failed', message: expect.stringContaining('disabled') });
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(1);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(0);
});

test('a start whose answer is lost is never sent again: the promotion is indeterminate and holds its lane', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const commit = await release(env, 'v1.0.0');
  await loseStart(env, worker, 'v1.0.0');
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await holdOf(worker, 'to-test')).toContain('for an execution with the tag');
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(/^error: Outcome unknown/);
});

test('a retry of an indeterminate promotion, after its lane is resumed, is a new promotion', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  const first = await loseStart(env, worker, 'v1.0.0');
  await resumeLane(worker, 'to-test');
  const retry = await askWorker<{ promotion: string }>(worker.url, `promotions/${first.id}/retry`, {});
  expect(retry.status).toBe(202);
  await eventually(
    async () =>
      (await askWorker<ShownPromotion>(worker.url, `promotions/${retry.body.promotion}`)).body.outcome,
  ).toBe('passed');
});

test('a GitHub that fails for a while still gets the end once', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const commit = await release(env, 'v1.0.0');
  let failed = 0;
  env.github.interfere(({ method, path }) => {
    if (method !== 'POST' || !path.includes('/statuses/') || failed > 0) return undefined;
    failed += 1;
    return { status: 502, body: { message: 'bad gateway' } };
  });
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(/^success/);
  const ends = env.github.repository('example/warehouse').statuses.filter(({ state }) => state === 'success');
  expect(ends).toHaveLength(1);
});

test('a promotion waits for an unreachable platform, and the commit shows it', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest }, { unansweredMs: 500 });
  const commit = await release(env, 'v1.0.0');
  env.wire.interfere(({ path }) => (path.includes('/artifacts') ? 'lose' : undefined));
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(
    /^pending: Waiting for the platform/,
  );
  env.wire.interfere(undefined);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});
