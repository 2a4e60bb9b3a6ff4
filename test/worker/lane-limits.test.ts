import { expect, test } from 'vitest';
import { executionTag } from '../../flows/run/execution-tag.ts';
import { run as runPipeline, type RunReport } from '../../flows/run/run.ts';
import { silentLogger, silentProgress } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  holdOf,
  pushed,
  release,
  slow,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  askWorker,
  projectId,
  promotionsOf,
  type WorkerEnvironment,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();
const hour = 3_600_000;
const withLane = (lines: string): string => toTest.replace('to: test', `to: test\n${lines}`);

/** `millrace run` with another spelling of the lane's pipeline, which it does not wait for. */
async function runByHand(env: WorkerEnvironment): Promise<RunReport> {
  return runPipeline(
    {
      pipeline: 'daily/load.orch.yaml',
      environment: 'test',
      timeoutMs: 60_000,
      onTimeout: 'detach',
      onCancel: 'detach',
      onConflict: 'fail',
      wait: false,
      dryRun: false,
    },
    {
      client: env.client,
      projectId,
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
      progress: silentProgress,
      signal: new AbortController().signal,
    },
  );
}

/** Another user runs the lane's pipeline, so that its tag is busy. */
async function occupy(env: WorkerEnvironment): Promise<void> {
  await env.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: 'v1.0.0',
  });
  await runByHand(env);
}

test('while a lane verifies, a command that runs the same pipeline there is refused', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, seed: slow(60_000) });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.step).toBe('watch');

  const error = await runByHand(env).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'execution-tag-conflict',
    executionTag: executionTag(projectId, 'test', 'daily/load'),
  });
});

test('a busy tag fails the verification if the lane’s policy is fail', async () => {
  const lanes = withLane('    on-conflict: fail').replace('on-failure: rollback', 'on-failure: hold');
  const { env, worker } = await createTestEnvironment(redis, { lanes, seed: slow(60_000) });
  await release(env, 'v1.0.0');
  await occupy(env);
  await pushed(env, worker, 'v1.0.0');
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'failed' });
  expect(promotion.message).toContain('daily/load was running in test already');
  expect(await holdOf(worker, 'to-test')).toContain('was running in test already');
});

test('a busy tag skips the verification if the policy is skip, and nothing counts as verified', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: withLane('    on-conflict: skip'),
    seed: slow(60_000),
  });
  await release(env, 'v1.0.0');
  await occupy(env);
  await pushed(env, worker, 'v1.0.0');
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({
    outcome: 'nothing-to-do',
    message: 'daily/load was running in test already; v1.0.0 stays there unverified',
  });
  const { body } = await askWorker<{ lanes: { verified: unknown }[] }>(worker.url, 'lanes');
  expect(body.lanes[0]?.verified).toBeNull();
});

test('a tag that stays busy is waited for until the limit of the step', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: withLane('    limits: { step: 2s }'),
    seed: slow(60_000),
  });
  await release(env, 'v1.0.0');
  await occupy(env);
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'error' });
  expect(await holdOf(worker, 'to-test')).toContain('daily/load could not be started in test');
});

test('a promotion that takes longer than its limit is ended, and so is its execution on the platform', async () => {
  // The time passes only once the execution runs, however slow the machine is.
  let skippedMs = 0;
  const { env, worker } = await createTestEnvironment(
    redis,
    {
      lanes: withLane('    limits: { promotion: 1h }').replace('timeout: 1m', 'timeout: 4h'),
      seed: slow(4 * hour),
    },
    {},
    { ...systemClock, now: () => systemClock.now() + skippedMs },
  );
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.step).toBe('watch');
  skippedMs = 2 * hour;
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'cancelled' });
  expect(promotion.message).toContain('the promotion took longer than its limit of 60 min');
  expect(env.wire.count('PATCH', '')).toBe(1);
});

test('a promotion that waits too long for its lane ends, and the lane continues with the next', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: withLane('    limits: { queue: 1s }\n    policy: every'),
  });
  await release(env, 'v1.0.0');
  // The first keeps the lane until the second has waited too long.
  env.platform.clock.freeze();
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.step).toBe('watch');
  await release(env, 'v2.0.0');
  await pushed(env, worker, 'v2.0.0');
  const late = await ended(worker, 'to-test', 'v2.0.0');
  expect(late).toMatchObject({ outcome: 'cancelled' });
  expect(late.message).toContain('waited for its lane longer than the limit of 1 s');
  // No person requested it: the worker did, and shows the reason.
  const { body } = await askWorker<{ entries: object[] }>(worker.url, `audit?promotion=${late.id}`);
  expect(body.entries).toEqual([
    expect.objectContaining({
      act: 'cancel',
      by: 'millrace',
      via: 'worker',
      data: expect.stringContaining('"reason":"the promotion waited for its lane longer'),
    }),
  ]);
  env.platform.clock.resume();
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a variable that names a day reaches the platform as a date', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('timeout: 1m', 'timeout: 1m, variables: { day: today, mode: full }'),
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.wire.count('POST', '/pipeline-executions')).toBe(1);
  const sent = env.wire.calls.find(
    ({ method, path }) => method === 'POST' && path.endsWith('/pipeline-executions'),
  );
  expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({
    scalarVariables: { day: expect.stringMatching(/^20\d\d-\d\d-\d\d$/), mode: 'full' },
  });
});
