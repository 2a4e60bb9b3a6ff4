import { expect, onTestFinished, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { ended, pushed, release } from '../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  deliver,
  promotionsOf,
  type WorkerEnvironment,
} from '../../environment/worker/worker-environment.ts';
import { kill, startProcess, startSecondWorker } from './start-process.ts';

const redis = testRedis();
const settings = { reconcileMs: 500, lockMs: 2_000, stalledMs: 500 };

async function createTestEnvironment(): Promise<WorkerEnvironment> {
  const lanes = `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test, policy: every }
`;
  const env = await createWorkerEnvironment({ lanes });
  onTestFinished(() => env[Symbol.asyncDispose]());
  return env;
}

const readsTag = (version: string) => (path: string) =>
  decodeURIComponent(path).endsWith(`/git/ref/tags/${version}`);

test('a push that waits for GitHub to show it survives the kill of its worker', async () => {
  const env = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const isRead = readsTag('v1.0.0');
  env.github.interfere(({ path }) =>
    isRead(path) ? { status: 404, body: { message: 'Not Found' } } : undefined,
  );
  const { child, url } = await startProcess(redis, env, settings);
  expect(await deliver(url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
  await eventually(() => env.github.requests.some(({ path }) => isRead(path))).toBe(true);
  await kill(child);
  env.github.interfere(undefined);
  const worker = await startSecondWorker(redis, env, settings);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('with the policy every a tag waits for an earlier one whose worker was killed while it ingested it', async () => {
  const env = await createTestEnvironment();
  for (const version of ['v1.0.0', 'v1.1.0']) await release(env, version);
  const isRead = readsTag('v1.0.0');
  env.github.interfere(({ path }) => (isRead(path) ? 'hang' : undefined));
  const { child, url } = await startProcess(redis, env, settings);
  expect(await deliver(url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
  await eventually(() => env.github.requests.some(({ path }) => isRead(path))).toBe(true);
  await kill(child);
  env.github.interfere(undefined);
  const worker = await startSecondWorker(redis, env, settings);
  await pushed(env, worker, 'v1.1.0');
  await ended(worker, 'to-test', 'v1.1.0');
  const promoted = (await promotionsOf(worker.url, 'to-test')).map(
    ({ version, outcome }) => `${version ?? ''} ${outcome ?? ''}`,
  );
  expect(promoted).toEqual(['v1.1.0 passed', 'v1.0.0 passed']);
});
