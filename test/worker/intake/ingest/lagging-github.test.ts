import { expect, onTestFinished, test } from 'vitest';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { ended, pushed, release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  deliver,
  deliveriesOf,
  promotionsOf,
  repositoryId,
  repositoryName,
  type WorkerEnvironment,
  workerToken,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

/** What GitHub shows at a ref instead of the truth; undefined for the truth. */
type Shown = (ref: string) => { readonly commit: string | undefined } | undefined;

async function createTestEnvironment(lanes = toTest) {
  const env = await createWorkerEnvironment({ lanes });
  onTestFinished(() => env[Symbol.asyncDispose]());
  let shown: Shown = () => undefined;
  let reads = 0;
  const start = async (
    settings: { headWaitMs?: number; matchWaitMs?: number } = {},
    behind: (github: GitHubPort) => Partial<GitHubPort> = () => ({}),
  ) => {
    const { github, settings: usual, ...options } = env.options(redis);
    const lagging: GitHubPort = {
      ...github,
      ...behind(github),
      async head(name, ref) {
        reads += 1;
        const instead = shown(ref);
        return instead === undefined ? github.head(name, ref) : instead.commit;
      },
    };
    const worker = await startWorker({ ...options, github: lagging, settings: { ...usual, ...settings } });
    onTestFinished(() => worker.close());
    // The first sweep records where all refs are.
    await eventually(() => noted(env, '#begun')).toBe(1);
    return worker;
  };
  return { env, start, show: (next: Shown) => void (shown = next), reads: () => reads };
}

const notThere = () => ({ commit: undefined });

async function metricOf(url: string, name: string): Promise<string | undefined> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${workerToken}` } });
  return (await response.text()).split('\n').find((line) => line.startsWith(name));
}

/** Whether the chain of a ref has a commit, from which a sweep would take it for known. */
const noted = (env: WorkerEnvironment, ref: string) =>
  redis.connect().hexists(`${env.prefix}:chain:${repositoryId}`, ref);

test('a tag that GitHub shows only later is promoted, and noted in its chain only then', async () => {
  const { env, start, show, reads } = await createTestEnvironment();
  const worker = await start();
  await release(env, 'v1.0.0');
  show(notThere);
  await pushed(env, worker, 'v1.0.0');
  await eventually(reads).toBeGreaterThan(1);
  expect(await noted(env, 'refs/tags/v1.0.0')).toBe(0);
  show(() => undefined);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await noted(env, 'refs/tags/v1.0.0')).toBe(1);
});

test('a push to a branch whose old head GitHub still shows is promoted later', async () => {
  const lanes = `
  - { name: to-test, on: { push: { branches: [main] } }, from: dev, to: test, version: commit }
`;
  const { env, start, show, reads } = await createTestEnvironment(lanes);
  const worker = await start();
  const old = await env.repository.commit('main', { 'notes.txt': 'old' });
  await env.publish('old', old);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await ended(worker, 'to-test', 'old');
  const fresh = await env.repository.commit('main', { 'notes.txt': 'new' });
  await env.publish('new', fresh);
  show((ref) => (ref === 'refs/heads/main' ? { commit: old } : undefined));
  const before = reads();
  expect(await deliver(worker.url, await env.push('refs/heads/main', old))).toMatchObject({ status: 202 });
  await eventually(reads).toBeGreaterThan(before);
  show(() => undefined);
  expect(await ended(worker, 'to-test', 'new')).toMatchObject({ outcome: 'passed', commit: fresh });
});

test('a head that a later push has left is not promoted after it, although a replica shows it again', async () => {
  const lanes = `
  - { name: to-test, on: { push: { branches: [main] } }, from: dev, to: test, version: commit }
`;
  const { env, start, show, reads } = await createTestEnvironment(lanes);
  const worker = await start({ headWaitMs: 3_000 });
  const old = await env.repository.commit('main', { 'notes.txt': 'old' });
  await env.publish('old', old);
  show(notThere);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await eventually(reads).toBeGreaterThan(0);
  await eventually(() => redis.connect().zcard(`${env.prefix}:ingest:delayed`)).toBe(1);
  const fresh = await env.repository.commit('main', { 'notes.txt': 'new' });
  await env.publish('new', fresh);
  // The push that waits sees the old head; the new one, which comes now, sees its own.
  let isAccepted = false;
  show((ref) => (ref === 'refs/heads/main' && isAccepted ? { commit: old } : undefined));
  expect(await deliver(worker.url, await env.push('refs/heads/main', old))).toMatchObject({ status: 202 });
  await eventually(async () => (await promotionsOf(worker.url, 'to-test')).length).toBe(1);
  isAccepted = true;
  await eventually(() => redis.connect().zcard(`${env.prefix}:ingest:delayed`)).toBe(0);
  await ended(worker, 'to-test', 'new');
  expect(await promotionsOf(worker.url, 'to-test')).toMatchObject([{ commit: fresh }]);
});

const onMain = `
  - { name: to-test, on: { push: { branches: [main] } }, from: dev, to: test, version: commit }
`;

test('a descendant of a pushed commit that a force push has left is not promoted after that push', async () => {
  const { env, start, show, reads } = await createTestEnvironment(onMain);
  const worker = await start({ headWaitMs: 2_000 });
  const base = await env.github.repository(repositoryName).git.commit('main');
  const old = await env.repository.commit('main', { 'notes.txt': 'old' });
  const first = await env.push('refs/heads/main');
  const left = await env.repository.commit('main', { 'notes.txt': 'left' });
  const fresh = await env.repository.commit('main', { 'notes.txt': 'new' }, { from: base ?? '' });
  for (const commit of [old, left, fresh]) await env.publish(commit.slice(0, 7), commit);
  show(notThere);
  expect(await deliver(worker.url, first)).toMatchObject({ status: 202 });
  await eventually(reads).toBeGreaterThan(0);
  show(() => undefined);
  expect(await deliver(worker.url, await env.push('refs/heads/main', left))).toMatchObject({ status: 202 });
  await eventually(async () => (await promotionsOf(worker.url, 'to-test')).length).toBe(1);
  show((ref) => (ref === 'refs/heads/main' ? { commit: left } : undefined));
  await eventually(async () =>
    (await deliveriesOf(worker.url)).some(({ noPromotion }) => noPromotion === 'overtaken'),
  ).toBe(true);
  expect(await promotionsOf(worker.url, 'to-test')).toMatchObject([{ commit: fresh }]);
});

test('a head to which a branch went back is promoted when that push and the one before it change places', async () => {
  const { env, start, show, reads } = await createTestEnvironment(onMain);
  const worker = await start();
  const one = await env.repository.commit('main', { 'notes.txt': 'one' });
  await env.publish('one', one);
  const toOne = await env.push('refs/heads/main');
  show(notThere);
  expect(await deliver(worker.url, toOne)).toMatchObject({ status: 202 });
  await eventually(reads).toBeGreaterThan(0);
  const two = await env.repository.commit('main', { 'notes.txt': 'two' });
  const toTwo = await env.push('refs/heads/main', one);
  await env.github.repository(repositoryName).git.git('update-ref', 'refs/heads/main', one);
  const back = await env.push('refs/heads/main', two);
  for (const push of [back, toTwo]) expect(await deliver(worker.url, push)).toMatchObject({ status: 202 });
  show(() => undefined);
  expect(await ended(worker, 'to-test', 'one')).toMatchObject({ outcome: 'passed', commit: one });
});

test('a head that a later push leaves while it is matched is not promoted after that push', async () => {
  const { env, start, show } = await createTestEnvironment(onMain);
  const [matching, matched] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let files = 0;
  const worker = await start({ headWaitMs: 1 }, (github) => ({
    async textAt(...place) {
      files += 1;
      if (files === 1) {
        matching.resolve();
        await matched.promise;
      }
      return github.textAt(...place);
    },
  }));
  const old = await env.repository.commit('main', { 'notes.txt': 'old' });
  await env.publish('old', old);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await matching.promise;
  const fresh = await env.repository.commit('main', { 'notes.txt': 'new' });
  await env.publish('new', fresh);
  expect(await deliver(worker.url, await env.push('refs/heads/main', old))).toMatchObject({ status: 202 });
  await ended(worker, 'to-test', 'new');
  show((ref) => (ref === 'refs/heads/main' ? { commit: old } : undefined));
  matched.resolve();
  await eventually(async () =>
    (await deliveriesOf(worker.url)).some(({ noPromotion }) => noPromotion !== null),
  ).toBe(true);
  expect(await promotionsOf(worker.url, 'to-test')).toMatchObject([{ commit: fresh }]);
});

test('a sweep that reads an old head from a replica does not take the branch back', async () => {
  const { env, start, show } = await createTestEnvironment(onMain);
  const worker = await start();
  const commits: string[] = [];
  for (const version of ['old', 'new']) {
    const commit = await env.repository.commit('main', { 'notes.txt': version });
    await env.publish(version, commit);
    expect(await deliver(worker.url, await env.push('refs/heads/main', commits.at(-1)))).toMatchObject({
      status: 202,
    });
    await ended(worker, 'to-test', version);
    commits.push(commit);
  }
  await worker.close();
  const [old = ''] = commits;
  let lists = 0;
  show((ref) => (ref === 'refs/heads/main' ? { commit: old } : undefined));
  const next = await start({}, () => ({
    async readRepositories() {
      lists += 1;
      const refs = [{ ref: 'refs/heads/main', commit: old }];
      return [{ id: repositoryId, fullName: repositoryName, pushedAt: 0, refs }];
    },
  }));
  const waiting = () => redis.connect().zcard(`${env.prefix}:ingest:delayed`);
  await eventually(() => lists).toBeGreaterThan(0);
  await eventually(async () => (await waiting()) + (await promotionsOf(next.url, 'to-test')).length).toBe(3);
  show(() => undefined);
  await eventually(waiting).toBe(0);
  expect(await promotionsOf(next.url, 'to-test')).toHaveLength(2);
});

test('a push that waits for GitHub to show it does not hold up another one', async () => {
  const { env, start, show, reads } = await createTestEnvironment();
  const worker = await start();
  for (const version of ['v1.0.0', 'v1.1.0']) await release(env, version);
  show((ref) => (ref === 'refs/tags/v1.0.0' ? { commit: undefined } : undefined));
  await pushed(env, worker, 'v1.0.0');
  await eventually(reads).toBeGreaterThan(0);
  await pushed(env, worker, 'v1.1.0');
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
});

test('the next worker continues to wait for GitHub', async () => {
  const { env, start, show, reads } = await createTestEnvironment();
  const first = await start();
  await release(env, 'v1.0.0');
  show(notThere);
  await pushed(env, first, 'v1.0.0');
  await eventually(reads).toBeGreaterThan(0);
  await eventually(() => redis.connect().zcard(`${env.prefix}:ingest:delayed`)).toBe(1);
  await first.close();
  show(() => undefined);
  const second = await start();
  expect(await ended(second, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a tag that GitHub never shows is reported on its commit, counted and listed with the reason', async () => {
  const { env, start, show } = await createTestEnvironment();
  const worker = await start({ headWaitMs: 1 });
  const commit = await release(env, 'v1.0.0');
  show(notThere);
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await deliveriesOf(worker.url))[0]?.noPromotion).toBe('ref-not-shown');
  expect((await deliveriesOf(worker.url))[0]?.ingestResult).toContain('refs/tags/v1.0.0');
  expect(env.status(commit, 'millrace/policy')).toMatch(/^error: GitHub did not show refs\/tags\/v1\.0\.0/u);
  expect(await metricOf(worker.url, 'millrace_pushes_without_promotion_total{reason="ref-not-shown"}')).toBe(
    'millrace_pushes_without_promotion_total{reason="ref-not-shown"} 1',
  );
  expect(await noted(env, 'refs/tags/v1.0.0')).toBe(0);
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);
});

test('a tag that was deleted at once is listed as deleted, and its commit gets no error', async () => {
  const { env, start } = await createTestEnvironment();
  const worker = await start({ headWaitMs: 1 });
  const commit = await release(env, 'v1.0.0');
  const push = await env.push('refs/tags/v1.0.0');
  await env.repository.deleteTag('v1.0.0');
  expect(await deliver(worker.url, await env.push('refs/tags/v1.0.0', commit))).toMatchObject({
    status: 200,
  });
  expect(await deliver(worker.url, push)).toMatchObject({ status: 202 });
  await eventually(async () =>
    (await deliveriesOf(worker.url)).some(({ noPromotion }) => noPromotion === 'overtaken'),
  ).toBe(true);
  expect(env.status(commit, 'millrace/policy')).toBeUndefined();
});

test('a tag whose branch GitHub shows only later is promoted, and its commit gets no error', async () => {
  const { env, start } = await createTestEnvironment();
  const old = await env.github.repository(repositoryName).git.commit('main');
  let reads = 0;
  const worker = await start({ matchWaitMs: 60_000 }, (github) => ({
    async branches(name) {
      reads += 1;
      return reads === 1 ? [{ name: 'main', commit: old ?? '' }] : github.branches(name);
    },
  }));
  reads = 0;
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(reads).toBeGreaterThan(1);
  expect(env.status(commit, 'millrace/policy')).toBeUndefined();
});

test('a tag whose files GitHub shows only later is promoted', async () => {
  const { env, start } = await createTestEnvironment();
  let isBehind = true;
  const worker = await start({ matchWaitMs: 60_000 }, (github) => ({
    textAt: async (...place) => (isBehind ? undefined : github.textAt(...place)),
  }));
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await deliveriesOf(worker.url))[0]?.ingestResult).toBeDefined();
  isBehind = false;
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});
