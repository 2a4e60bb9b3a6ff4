import { expect, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { deliver, projectFile, promotionsOf } from '../environment/worker/worker-environment.ts';
import { eventually } from '../environment/worker/eventually.ts';

const redis = testRedis();

test('a tag whose commit is on no allowed branch starts nothing, and the commit shows the reason', async () => {
  const { env, worker } = await createTestEnvironment(redis);
  const commit = await env.repository.commit('feature/x', { 'notes.txt': 'x' }, { from: 'main' });
  await env.repository.tag('v9.0.0', commit);
  await env.publish('v9.0.0', commit);
  await pushed(env, worker, 'v9.0.0');
  await eventually(() => env.status(commit, 'millrace/policy')).toMatch(
    /^error: worker\.yaml does not allow this: the commit of the tag "v9\.0\.0" is on no branch/,
  );
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);
  expect(env.wire.calls).toEqual([]);
});

test('an environment that worker.yaml does not name is denied', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
`,
  });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/policy')).toContain(
    'environment "prod" is not listed in `environments`',
  );
  expect(env.wire.calls).toEqual([]);
});

test('a push that changes millrace.yaml runs under the file that was there before', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const before = (await env.repository.commit('main', { 'notes.txt': 'before' })).trim();
  const wider = projectFile(toTest.replace('tags: ["v*"]', 'branches: [main]').replaceAll('test', 'prod'));
  const commit = await env.repository.commit('main', { 'millrace.yaml': wider });
  await env.publish('v1.0.0', commit);
  expect(await deliver(worker.url, await env.push('refs/heads/main', before))).toMatchObject({
    status: 202,
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await promotionsOf(worker.url, 'to-prod')).toEqual([]);
  expect(await env.versions('prod')).toEqual([]);
});

test('a tag on the commit that changed millrace.yaml runs under the file of its parent', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const wider = projectFile(toTest.replaceAll('test', 'prod'));
  const commit = await env.repository.commit('main', { 'millrace.yaml': wider });
  await env.repository.tag('v1.0.0', commit);
  await env.publish('v1.0.0', commit);
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await env.versions('prod')).toEqual([]);
});

test('a push that repairs an unreadable millrace.yaml runs under its own file', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const broken = (await env.repository.commit('main', { 'millrace.yaml': 'version: [1\n' })).trim();
  const repaired = projectFile(toTest.replace('tags: ["v*"]', 'branches: [main]'));
  const commit = await env.repository.commit('main', { 'millrace.yaml': repaired });
  await env.publish('v1.0.0', commit);
  expect(await deliver(worker.url, await env.push('refs/heads/main', broken))).toMatchObject({
    status: 202,
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a tag on the commit that repairs an unreadable millrace.yaml runs under its own file', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await env.repository.commit('main', { 'millrace.yaml': 'version: [1\n' });
  const commit = await env.repository.commit('main', { 'millrace.yaml': projectFile(toTest) });
  await env.repository.tag('v1.0.0', commit);
  await env.publish('v1.0.0', commit);
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a push whose millrace.yaml is as unreadable as before is refused', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const broken = (await env.repository.commit('main', { 'millrace.yaml': 'version: [1\n' })).trim();
  const commit = await env.repository.commit('main', { 'notes.txt': 'more' });
  await deliver(worker.url, await env.push('refs/heads/main', broken));
  await eventually(() => env.status(commit, 'millrace/policy')).toMatch(/^error: millrace\.yaml:\d+: /);
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);
});
