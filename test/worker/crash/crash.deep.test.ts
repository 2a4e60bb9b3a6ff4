import { once } from 'node:events';
import { expect, test } from 'vitest';
import { eventually } from '../../environment/worker/eventually.ts';
import { release } from '../../environment/worker/lanes-at-work.ts';
import { testRedis } from '../../environment/redis.ts';
import {
  deliver,
  promotionsOf,
  type WorkerEnvironment,
} from '../../environment/worker/worker-environment.ts';
import { createTestEnvironment, endOf, promotionsTo, settings, watching } from './crash-environment.ts';
import { startProcess, startSecondWorker } from './start-process.ts';

const redis = testRedis();
const secondWorker = async (env: WorkerEnvironment): Promise<string> =>
  (await startSecondWorker(redis, env, settings)).url;

test('a frozen worker that wakes up after another took its promotion over makes no further call', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  await watching(env, url);
  // Frozen while it waits for the answer to a poll, so that no read of its own can be on the way after it wakes up.
  let frozen = false;
  env.wire.interfere(({ method, path }) => {
    if (!frozen && method === 'GET' && path.includes('/pipeline-executions/')) {
      frozen = true;
      child.kill('SIGSTOP');
    }
    return undefined;
  });
  await eventually(() => frozen).toBe(true);
  env.platform.clock.resume();
  const second = await secondWorker(env);
  expect(await endOf(second, 'to-prod')).toMatchObject({ outcome: 'passed' });
  const calls = env.wire.calls.length;
  child.kill('SIGCONT');
  // It answers again, so it had the time for a forbidden call.
  await eventually(async () => (await fetch(`${url}/livez`)).status).toBe(200);
  await eventually(async () => (await promotionsOf(url, 'to-prod'))[0]?.state).toBe('finished');
  expect(env.wire.calls.slice(calls)).toEqual([]);
  expect(promotionsTo(env, 'test')).toBe(1);
  expect(promotionsTo(env, 'prod')).toBe(1);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
});

test('a worker killed between sending a promotion and its answer: the next finds it done and sends none', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  // The platform promotes; the worker dies before it gets the answer.
  env.wire.interfere(({ path }) => {
    if (!path.endsWith('/promotions') || child.killed) return undefined;
    child.kill('SIGKILL');
    return 'lose';
  });
  await deliver(url, await env.push('refs/tags/v1.0.0'));
  await once(child, 'exit');

  const second = await secondWorker(env);
  const promotion = await endOf(second, 'to-test');
  expect(promotion.outcome).toBe('passed');
  expect(promotion.history?.map(({ what }) => what)).toContain('promotion-found');
  expect(promotionsTo(env, 'test')).toBe(1);
});

test('a worker killed after its 202 and before it ingested the push loses nothing', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  // The worker sends other requests too: it sweeps for missed pushes.
  env.github.interfere(({ path }) => {
    if (!path.includes('v1.0.0')) return undefined;
    child.kill('SIGKILL');
    return 'drop';
  });
  expect(await deliver(url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
  await once(child, 'exit');
  env.github.interfere(undefined);
  const second = await secondWorker(env);
  await eventually(() => promotionsOf(second, 'to-prod')).toHaveLength(1);
  expect(await endOf(second, 'to-prod')).toMatchObject({ outcome: 'passed' });
});

test('a worker frozen during an advance finds its fence lost and sends nothing', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  let frozen = false;
  // It has read that the version is absent, and would promote it next.
  env.wire.interfere(({ method, path }) => {
    if (!frozen && method === 'GET' && path.includes('environmentName=test')) {
      frozen = true;
      child.kill('SIGSTOP');
    }
    return undefined;
  });
  await deliver(url, await env.push('refs/tags/v1.0.0'));
  await eventually(() => frozen).toBe(true);
  const second = await secondWorker(env);
  expect(await endOf(second, 'to-prod')).toMatchObject({ outcome: 'passed' });
  child.kill('SIGCONT');
  await eventually(async () => (await fetch(`${url}/livez`)).status).toBe(200);
  // After a normal stop it has ended its advances.
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(promotionsTo(env, 'test')).toBe(1);
  expect(promotionsTo(env, 'prod')).toBe(1);
});

test('a worker that is stopped exits by itself, and the next worker continues', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  await watching(env, url);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  env.platform.clock.resume();
  const second = await secondWorker(env);
  expect(await endOf(second, 'to-test')).toMatchObject({ outcome: 'passed' });
  expect(
    env.wire.calls.filter(
      ({ method, path, body }) =>
        method === 'POST' && path.endsWith('/pipeline-executions') && body.includes('"test"'),
    ),
  ).toHaveLength(1);
});

test('a Redis that is killed in the middle of a promotion costs nothing but time', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const url = await secondWorker(env);
  await watching(env, url);
  process.kill(redis.pid, 'SIGKILL');
  env.platform.clock.resume();
  expect(await endOf(url, 'to-test')).toMatchObject({ outcome: 'passed' });
  expect(await endOf(url, 'to-prod')).toMatchObject({ outcome: 'passed' });
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(2);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
});
