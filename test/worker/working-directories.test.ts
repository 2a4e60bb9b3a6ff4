import { expect, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { projectFile, promotionsOf } from '../environment/worker/worker-environment.ts';

const redis = testRedis();

const policy = `
    working-directories: [".", finance, gone]
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
`;

test('each project of a repository has its own lanes, and GitHub shows whose they are', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, policy });
  const lanes = toTest.replace('name: to-test', 'name: books').replace('to: test', 'to: prod');
  await env.repository.commit('main', { 'finance/millrace.yaml': projectFile(lanes) });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await ended(worker, 'books', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  await eventually(() => env.status(commit, 'millrace/finance/books')).toMatch(/^success/);
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(/^success/);
});

test('an invalid file of one project does not stop other projects, and the commit shows the error', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, policy });
  await env.repository.commit('main', { 'finance/millrace.yaml': 'version: 2\n' });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  await eventually(() => env.status(commit, 'millrace/policy')).toMatch(/^error/);
  expect(await promotionsOf(worker.url, 'books')).toEqual([]);
});

test('a lane that two folders define for one project runs for the first, and the commit shows it', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, policy });
  const lanes = toTest.replace('to: test', 'to: prod');
  await env.repository.commit('main', { 'finance/millrace.yaml': projectFile(lanes) });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed', to: 'test' });
  await eventually(() => env.status(commit, 'millrace/policy')).toMatch(
    /^error.*finance\/millrace\.yaml: the lane "to-test" is also defined in millrace\.yaml/,
  );
});
