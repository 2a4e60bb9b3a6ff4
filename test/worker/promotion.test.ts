import { expect, test } from 'vitest';
import { executionTag } from '../../flows/run/execution-tag.ts';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  failing,
  failingSecond,
  holdOf,
  resumeLane,
  pushed,
  release,
  slow,
  tagged,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { deliver, deliveriesOf, projectId, promotionsOf } from '../environment/worker/worker-environment.ts';
import { eventually } from '../environment/worker/eventually.ts';

const redis = testRedis();

test('a pushed tag is promoted and verified in test and prod, and each lane’s end is reported once', async () => {
  const { env, worker } = await createTestEnvironment(redis);
  const commit = await release(env, 'v1.0.0');
  expect(await deliver(worker.url, await env.push('refs/tags/v1.0.0'))).toEqual({
    status: 202,
    result: 'accepted',
  });

  await ended(worker, 'to-prod', 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-prod')).toMatch(/^success/);
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(/^success/);
  expect(env.status(commit, 'millrace/to-test')).toBe('success: v1.0.0 is in test, verified by 1 execution');
  expect(await env.versions('prod')).toEqual(['v1.0.0']);
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(2);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
  const ends = env.github.repository('example/warehouse').statuses.filter(({ state }) => state !== 'pending');
  expect(ends.map(({ context }) => context).toSorted()).toEqual(['millrace/to-prod', 'millrace/to-test']);
});

test('a lane starts its execution with the pipeline’s tag and the version that was promoted', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  const start = env.wire.calls.find(
    ({ path, method }) => method === 'POST' && path.endsWith('/pipeline-executions'),
  );
  expect(JSON.parse(start?.body ?? '{}')).toEqual({
    pipelineName: 'daily/load',
    environmentName: 'test',
    versionName: 'v1.0.0',
    executionTag: executionTag(projectId, 'test', 'daily/load'),
  });
});

test('a tag that is pushed before its release is published waits for the artifact', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const commit = await tagged(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toBe('pending: Waiting for v1.0.0 in dev');
  await env.publish('v1.0.0', commit);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a second delivery, also under a new id, makes no second run', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  const first = await env.push('refs/tags/v1.0.0');
  expect(await deliver(worker.url, first)).toMatchObject({ status: 202 });
  expect(await deliver(worker.url, first)).toEqual({ status: 200, result: 'duplicate' });
  const renamed = { ...first, headers: { ...first.headers, 'x-github-delivery': 'another-id' } };
  expect(await deliver(worker.url, renamed)).toEqual({ status: 200, result: 'duplicate' });
  await ended(worker, 'to-test', 'v1.0.0');
  // Another body about the same head: taken in, but the lane knows the head.
  const other = await env.push('refs/tags/v1.0.0', 'f'.repeat(40));
  expect(await deliver(worker.url, other)).toMatchObject({ status: 202 });
  await eventually(async () => (await deliveriesOf(worker.url))[0]).toMatchObject({
    result: 'accepted',
    noPromotion: 'accepted-before',
  });
  expect(await promotionsOf(worker.url, 'to-test')).toHaveLength(1);
});

test('ten deliveries of one push at once make one run', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  const one = await env.push('refs/tags/v1.0.0');
  const all = await Promise.all(Array.from({ length: 10 }, () => deliver(worker.url, one)));
  expect(all.every(({ status }) => status === 202 || status === 200)).toBe(true);
  await ended(worker, 'to-test', 'v1.0.0');
  expect(await promotionsOf(worker.url, 'to-test')).toHaveLength(1);
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(1);
});

test('a failed verification rolls back to the version verified before, and prod never sees it', async () => {
  const { env, worker } = await createTestEnvironment(redis, { seed: failingSecond('test') });
  const before = await release(env, 'v0.9.0');
  await pushed(env, worker, 'v0.9.0');
  await ended(worker, 'to-prod', 'v0.9.0');
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');

  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion.outcome).toBe('failed');
  expect(promotion.message).toContain('rolled back to v0.9.0');
  expect(await env.versions('test')).toEqual(['!v1.0.0', 'v0.9.0']);
  expect(await env.versions('prod')).toEqual(['v0.9.0']);
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(
    /^failure: Rolled back to v0\.9\.0: v1\.0\.0 failed, daily\/load ended FAILED/,
  );
  expect(await promotionsOf(worker.url, 'to-prod')).toHaveLength(1);
  // The lane is free: the next version may come.
  expect(await holdOf(worker, 'to-test')).toBeUndefined();
  expect(before).not.toBe(commit);
});

test('without an earlier verified version nothing is disabled, and the lane is held with the reason', async () => {
  const { env, worker } = await createTestEnvironment(redis, { seed: failing('test'), lanes: toTest });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'failed' });
  expect(await env.versions('test')).toEqual(['v1.0.0']);
  expect(await holdOf(worker, 'to-test')).toContain('no earlier version that was verified in test');
});

test('a held lane takes versions in and does nothing with them until it is released', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    seed: failing('test'),
    lanes: toTest.replace('on-failure: rollback', 'on-failure: hold'),
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  expect(await holdOf(worker, 'to-test')).toContain('v1.0.0 failed in test');

  const commit = await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toBe(
    'pending: Waiting: the lane is on hold',
  );
  expect(await env.versions('test')).toEqual(['v1.0.0']);
  await resumeLane(worker, 'to-test');
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
});

test('a lane waits while another execution has the tag, then starts its own', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const commit = await release(env, 'v1.0.0');
  await env.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: 'v1.0.0',
  });
  env.platform.clock.freeze();
  const other = await env.client.executions.start({
    projectId,
    pipelineName: 'daily/load',
    environmentName: 'test',
    executionTag: executionTag(projectId, 'test', 'daily/load'),
  });
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toBe(
    'pending: Waiting: daily/load is running in test',
  );
  env.platform.clock.resume();
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion.outcome).toBe('passed');
  const whats = promotion.history?.map(({ what }) => what) ?? [];
  expect(whats).toContain('tag-busy');
  expect(whats.filter((what) => what === 'started')).toHaveLength(1);
  // What was there already is not promoted again.
  expect(whats).toContain('already-there');
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(0);
  expect(other.pipelineExecutionId).toBeDefined();
});

test('a verification that takes too long is terminated and counts as failed', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('timeout: 1m', 'timeout: 1s'),
    seed: slow(60_000),
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion.outcome).toBe('failed');
  expect(promotion.message).toContain('daily/load did not end in time');
  expect(promotion.history?.map(({ what }) => what)).toContain('terminated');
});
