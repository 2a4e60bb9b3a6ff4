import { expect, onTestFinished, test } from 'vitest';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { ended, release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  promotionsOf,
  repositoryId,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

/** A worker whose GitHub delivers nothing: every push is found by a sweep. */
async function createTestEnvironment(lanes: string, behind: (github: GitHubPort) => Partial<GitHubPort>) {
  const env = await createWorkerEnvironment({ lanes });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const { github, settings, ...options } = env.options(redis);
  const worker = await startWorker({
    ...options,
    github: { ...github, ...behind(github) },
    settings: { ...settings, sweepTickMs: 50, sweepMs: 100, headWaitMs: 1 },
  });
  onTestFinished(() => worker.close());
  const chain = `${env.prefix}:chain:${repositoryId}`;
  await eventually(() => redis.connect().hexists(chain, '#begun')).toBe(1);
  return { env, worker };
}

test('a push that a sweep finds, and that GitHub shows only after the wait for it, is found again', async () => {
  let isBehind = true;
  const { env, worker } = await createTestEnvironment(toTest, (github) => ({
    head: async (...ref) => (isBehind ? undefined : github.head(...ref)),
  }));
  const commit = await release(env, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/policy')).toMatch(
    /^error: GitHub did not show refs\/tags\/v1\.0\.0/u,
  );
  isBehind = false;
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  // Its commit no longer says that nothing was promoted.
  await eventually(() => env.status(commit, 'millrace/policy')).toMatch(/^success: GitHub shows it now/u);
});

test('a head to which a branch returns for the second time is found by a sweep', async () => {
  const lanes = `
  - { name: to-test, on: { push: { branches: [main] } }, from: dev, to: test, version: commit }
`;
  const { env, worker } = await createTestEnvironment(lanes, () => ({}));
  const { git } = env.github.repository(repositoryName);
  const wanted = async () =>
    (await promotionsOf(worker.url, 'to-test')).map(({ version }) => version).toReversed();
  const commits: string[] = [];
  for (const version of ['one', 'two']) {
    const commit = await env.repository.commit('main', { 'notes.txt': version });
    await env.publish(version, commit);
    await ended(worker, 'to-test', version);
    commits.push(commit);
  }
  const [one = '', two = ''] = commits;
  await git.git('update-ref', 'refs/heads/main', one);
  await eventually(wanted).toEqual(['one', 'two', 'one']);
  await git.git('update-ref', 'refs/heads/main', two);
  await eventually(wanted).toEqual(['one', 'two', 'one', 'two']);
  expect(await wanted()).toHaveLength(4);
});
