import { once } from 'node:events';
import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import {
  deliver,
  promotionsOf,
  type WorkerEnvironment,
} from '../../environment/worker/worker-environment.ts';
import { release } from '../../environment/worker/lanes-at-work.ts';
import { createTestEnvironment, endOf, settings, watching } from './crash-environment.ts';
import { kill, startProcess, startSecondWorker } from './start-process.ts';
import { eventually } from '../../environment/worker/eventually.ts';

const redis = testRedis();
const secondWorker = async (env: WorkerEnvironment): Promise<string> =>
  (await startSecondWorker(redis, env, settings)).url;

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
