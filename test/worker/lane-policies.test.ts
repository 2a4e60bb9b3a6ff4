import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  slow,
  slowOnce,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  deliver,
  delivery,
  promotionsOf,
  createWorkerEnvironment,
} from '../environment/worker/worker-environment.ts';
import { eventually } from '../environment/worker/eventually.ts';

const redis = testRedis();

test('with the policy latest only the newest waiting tag is promoted, and the others are superseded', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const waiting = Promise.withResolvers<undefined>();
  // The first execution is not seen to end before all are there.
  env.wire.interfere(({ method, path }) =>
    method === 'GET' && path.includes('/pipeline-executions/') ? waiting.promise : undefined,
  );
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await env.wire.until('POST', '/pipeline-executions', 1);
  const asked = await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await eventually(() => promotionsOf(worker.url, 'to-test')).toHaveLength(2);
  await release(env, 'v1.2.0');
  await pushed(env, worker, 'v1.2.0');

  await eventually(() => promotionsOf(worker.url, 'to-test')).toHaveLength(3);
  waiting.resolve(undefined);

  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'superseded' });
  expect(await ended(worker, 'to-test', 'v1.2.0')).toMatchObject({ outcome: 'passed' });
  expect(await env.versions('test')).toEqual(['v1.2.0', 'v1.0.0']);
  await eventually(() => env.status(asked, 'millrace/to-test')).toBe(
    'success: Superseded by v1.2.0; nothing was promoted',
  );
});

test('with the policy every each version is promoted in order', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('to: test', 'to: test\n    policy: every'),
    seed: slow(300),
  });
  for (const version of ['v1.0.0', 'v1.1.0', 'v1.2.0']) {
    await release(env, version);
    await pushed(env, worker, version);
    await eventually(async () =>
      (await promotionsOf(worker.url, 'to-test')).some((promotion) => promotion.version === version),
    ).toBe(true);
  }
  await ended(worker, 'to-test', 'v1.2.0');
  expect((await promotionsOf(worker.url, 'to-test')).map(({ outcome }) => outcome)).toEqual([
    'passed',
    'passed',
    'passed',
  ]);
  expect(await env.versions('test')).toEqual(['v1.2.0', 'v1.1.0', 'v1.0.0']);
});

test('with the policy every versions keep their order, even if GitHub answers about the first one last', async () => {
  const env = await createWorkerEnvironment({
    lanes: toTest.replace('to: test', 'to: test\n    policy: every'),
  });
  onTestFinished(() => env[Symbol.asyncDispose]());
  for (const version of ['v1.0.0', 'v1.1.0']) await release(env, version);
  const { github, settings, ...options } = env.options(redis);
  const first = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<undefined>();
  const worker = await startWorker({
    ...options,
    settings: { ...settings, orderMs: 60_000 },
    github: {
      ...github,
      async head(name, ref) {
        if (ref === 'refs/tags/v1.0.0') {
          asked.resolve(undefined);
          await first.promise;
        }
        return github.head(name, ref);
      },
    },
  });
  onTestFinished(() => worker.close());
  await pushed(env, worker, 'v1.0.0');
  await asked.promise;
  await pushed(env, worker, 'v1.1.0');
  // Its job waits for the one before it.
  const connection = redis.connect();
  await eventually(() => connection.zcard(`${env.prefix}:ingest:delayed`)).toBe(1);
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);
  first.resolve(undefined);
  await ended(worker, 'to-test', 'v1.1.0');
  expect(
    (await promotionsOf(worker.url, 'to-test')).map(({ version, outcome }) => [version, outcome]),
  ).toEqual([
    ['v1.1.0', 'passed'],
    ['v1.0.0', 'passed'],
  ]);
});

test('cancel terminates the running execution on the platform, then the newer version goes', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('to: test', 'to: test\n    policy: cancel'),
    seed: slowOnce(60_000),
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await env.wire.until('POST', '/pipeline-executions', 1);
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'cancelled' });
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
  expect(
    env.wire.calls.filter(({ method, path }) => method === 'PATCH' && path.includes('/pipeline-executions/')),
  ).toHaveLength(1);
});

test('an operator’s cancel reaches the platform', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, seed: slow(60_000) });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await env.wire.until('POST', '/pipeline-executions', 1);
  const [promotion] = await promotionsOf(worker.url, 'to-test');
  expect(await askWorker(worker.url, `promotions/${promotion?.id ?? ''}/cancel`, {})).toMatchObject({
    status: 202,
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({
    outcome: 'cancelled',
    message: 'cancelled by worker-token; v1.0.0 stays in test unverified',
  });
});

test('a branch that is reset to an older commit makes a new run', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest
      .replace('tags: ["v*"]', 'branches: [main]')
      .replace('to: test', 'to: test\n    version: latest'),
  });
  const older = await env.repository.commit('main', { 'notes.txt': '1' });
  const newer = await env.repository.commit('main', { 'notes.txt': '2' });
  await env.publish('v1.0.0', newer);
  await deliver(worker.url, await env.push('refs/heads/main', older));
  await ended(worker, 'to-test', 'v1.0.0');
  const bare = env.github.repository('example/warehouse').git;
  await bare.git('update-ref', 'refs/heads/main', older);
  expect(await deliver(worker.url, await env.push('refs/heads/main', newer))).toMatchObject({
    status: 202,
  });
  await eventually(() => promotionsOf(worker.url, 'to-test')).toHaveLength(2);
});

test('a tag whose push arrives after the push of a later commit is superseded', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const first = await release(env, 'v1.0.0');
  const late = await env.push('refs/tags/v1.0.0');
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await ended(worker, 'to-test', 'v1.1.0');
  expect(await deliver(worker.url, late)).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'superseded' });
  expect(await env.versions('test')).toEqual(['v1.1.0']);
  await eventually(() => env.status(first, 'millrace/to-test')).toContain(
    'Superseded by v1.1.0, which is newer',
  );
});

test('pushes of a branch in reverse order cause one promotion, of the current head', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const commits: string[] = [];
  for (const text of ['1', '2', '3', '4']) {
    commits.push(await env.repository.commit('main', { 'notes.txt': text }));
  }
  const [first = '', asked = '', third = '', head = ''] = commits;
  await env.publish('v1.0.0', head);
  const bodies = [
    [third, head],
    [asked, third],
    [first, asked],
  ];
  for (const [before = '', after = ''] of bodies) {
    const push = await env.github.events.push('example/warehouse', 'refs/heads/main', before);
    expect(await deliver(worker.url, delivery('push', { ...push, after }))).toMatchObject({ status: 202 });
  }
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'passed', commit: head });
  await eventually(
    () => env.github.requests.filter(({ path }) => path === '/repositories/77').length,
  ).toBeGreaterThanOrEqual(3);
  expect(await promotionsOf(worker.url, 'to-test')).toHaveLength(1);
});
