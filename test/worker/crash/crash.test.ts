import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import {
  askWorker,
  deliver,
  promotionsOf,
  type ShownPromotion,
  createWorkerEnvironment,
  type WorkerEnvironment,
} from '../../environment/worker/worker-environment.ts';
import { release } from '../../environment/worker/lanes-at-work.ts';
import { kill, startProcess, startSecondWorker } from './start-process.ts';
import { eventually } from '../../environment/worker/eventually.ts';

const redis = testRedis();

const lanes = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    verify: [{ pipeline: daily/load, timeout: 1m }]
  - name: to-prod
    after: to-test
    from: test
    to: prod
    verify: [{ pipeline: daily/load, timeout: 1m }]
`;

const settings = { pollScale: 0.05, reconcileMs: 500, lockMs: 2_000, stalledMs: 500 };

async function createTestEnvironment(): Promise<WorkerEnvironment> {
  const env = await createWorkerEnvironment({ lanes });
  onTestFinished(() => env[Symbol.asyncDispose]());
  return env;
}

async function secondWorker(env: WorkerEnvironment): Promise<string> {
  return (await startSecondWorker(redis, env, settings)).url;
}

/**
 * Delivers the push and waits until its execution runs and the worker has recorded its id: from here on nothing is
 * unknown. The execution runs until the platform's clock is resumed.
 */
async function watching(env: WorkerEnvironment, url: string): Promise<void> {
  env.platform.clock.freeze();
  expect(await deliver(url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
  await eventually(async () => (await promotionsOf(url, 'to-test'))[0]?.step).toBe('watch');
}

async function endOf(url: string, lane: string): Promise<ShownPromotion> {
  await eventually(async () => (await promotionsOf(url, lane))[0]?.state).toBe('finished');
  const id = (await promotionsOf(url, lane))[0]?.id ?? '';
  return (await askWorker<ShownPromotion>(url, `promotions/${id}`)).body;
}

test('after a kill during an execution the next worker finishes: each effect once, each end reported once', async () => {
  const env = await createTestEnvironment();
  const commit = await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  await watching(env, url);
  await kill(child);
  env.platform.clock.resume();

  const second = await secondWorker(env);
  expect(await endOf(second, 'to-test')).toMatchObject({ outcome: 'passed' });
  expect(await endOf(second, 'to-prod')).toMatchObject({ outcome: 'passed' });
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(2);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
  expect(await env.versions('prod')).toEqual(['v1.0.0']);
  // The killed worker may have been about to report the first end: its lease must expire before another reports it.
  for (const context of ['millrace/to-test', 'millrace/to-prod'])
    await eventually(() => env.status(commit, context)).toMatch(/^success/);
  const ends = env.github.repository('example/warehouse').statuses.filter(({ state }) => state !== 'pending');
  expect(ends.map(({ context }) => context).toSorted()).toEqual(['millrace/to-prod', 'millrace/to-test']);
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

test('a worker killed between sending a start and its answer: no second start, the lane is held', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  env.wire.interfere(({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/pipeline-executions') || child.killed) return undefined;
    child.kill('SIGKILL');
    return 'lose';
  });
  await deliver(url, await env.push('refs/tags/v1.0.0'));
  await once(child, 'exit');

  const second = await secondWorker(env);
  expect(await endOf(second, 'to-test')).toMatchObject({ outcome: 'indeterminate' });
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await promotionsOf(second, 'to-prod')).toEqual([]);
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

test('a promotion whose job was lost from the queue is found and finished', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { child, url } = await startProcess(redis, env, settings);
  await watching(env, url);
  await kill(child);
  env.platform.clock.resume();
  const connection = redis.connect();
  const jobs = await connection.keys(`${env.prefix}:promotion:*`);
  // BullMQ's keys of the queue, not our records: those are 20 hex digits.
  const queue = jobs.filter((key) => !/:promotion:[0-9a-f]{20}/.test(key));
  expect(queue.length).toBeGreaterThan(2);
  await connection.del(...queue);
  const second = await secondWorker(env);
  expect(await endOf(second, 'to-prod')).toMatchObject({ outcome: 'passed' });
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
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

function promotionsTo(env: WorkerEnvironment, environment: string): number {
  return env.wire.calls.filter(
    ({ path, body }) =>
      path.endsWith('/promotions') &&
      (JSON.parse(body) as { targetEnvironmentName: string }).targetEnvironmentName === environment,
  ).length;
}
