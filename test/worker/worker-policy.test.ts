import { expect, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import { begin, ended, pushed, release, toTest } from '../environment/worker/lanes-at-work.ts';
import { deliver, projectFile, promotionsOf } from '../environment/worker/worker-environment.ts';
import { eventually } from '../environment/worker/eventually.ts';

const redis = testRedis();

test('a tag whose commit is on no allowed branch starts nothing, and the commit says why', async () => {
  const { around, worker } = await begin(redis);
  const commit = await around.repository.commit('feature/x', { 'notes.txt': 'x' }, { from: 'main' });
  await around.repository.tag('v9.0.0', commit);
  await around.publish('v9.0.0', commit);
  await pushed(around, worker, 'v9.0.0');
  await eventually(() => around.status(commit, 'millrace/policy')).toMatch(
    /^error: worker\.yaml does not allow it: the commit of tag "v9\.0\.0" is on none/,
  );
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);
  expect(around.wire.calls).toEqual([]);
});

test('an environment that worker.yaml does not name is denied', async () => {
  const { around, worker } = await begin(redis, {
    policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
`,
  });
  const commit = await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await eventually(() => around.status(commit, 'millrace/policy')).toContain(
    'environment "prod" is not in `environments`',
  );
  expect(around.wire.calls).toEqual([]);
});

test('a push that changes millrace.yaml runs under the file that was there before', async () => {
  const { around, worker } = await begin(redis, {
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const before = (await around.repository.commit('main', { 'notes.txt': 'before' })).trim();
  const wider = projectFile(toTest.replace('tags: ["v*"]', 'branches: [main]').replaceAll('test', 'prod'));
  const commit = await around.repository.commit('main', { 'millrace.yaml': wider });
  await around.publish('v1.0.0', commit);
  expect(await deliver(worker.url, await around.push('refs/heads/main', before))).toMatchObject({
    status: 202,
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await promotionsOf(worker.url, 'to-prod')).toEqual([]);
  expect(await around.versions('prod')).toEqual([]);
});

test('a tag on the commit that changed millrace.yaml runs under the file of its parent', async () => {
  const { around, worker } = await begin(redis, { lanes: toTest });
  const wider = projectFile(toTest.replaceAll('test', 'prod'));
  const commit = await around.repository.commit('main', { 'millrace.yaml': wider });
  await around.repository.tag('v1.0.0', commit);
  await around.publish('v1.0.0', commit);
  await pushed(around, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await around.versions('prod')).toEqual([]);
});

test('a push that repairs an unreadable millrace.yaml runs under its own file', async () => {
  const { around, worker } = await begin(redis, {
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const broken = (await around.repository.commit('main', { 'millrace.yaml': 'version: [1\n' })).trim();
  const repaired = projectFile(toTest.replace('tags: ["v*"]', 'branches: [main]'));
  const commit = await around.repository.commit('main', { 'millrace.yaml': repaired });
  await around.publish('v1.0.0', commit);
  expect(await deliver(worker.url, await around.push('refs/heads/main', broken))).toMatchObject({
    status: 202,
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a tag on the commit that repairs an unreadable millrace.yaml runs under its own file', async () => {
  const { around, worker } = await begin(redis, { lanes: toTest });
  await around.repository.commit('main', { 'millrace.yaml': 'version: [1\n' });
  const commit = await around.repository.commit('main', { 'millrace.yaml': projectFile(toTest) });
  await around.repository.tag('v1.0.0', commit);
  await around.publish('v1.0.0', commit);
  await pushed(around, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a push whose millrace.yaml is as unreadable as before is refused', async () => {
  const { around, worker } = await begin(redis, {
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const broken = (await around.repository.commit('main', { 'millrace.yaml': 'version: [1\n' })).trim();
  const commit = await around.repository.commit('main', { 'notes.txt': 'more' });
  await deliver(worker.url, await around.push('refs/heads/main', broken));
  await eventually(() => around.status(commit, 'millrace/policy')).toMatch(/^error: millrace\.yaml:\d+: /);
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);
});
