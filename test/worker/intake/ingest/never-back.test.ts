import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import {
  createTestEnvironment,
  ended,
  failingSecond,
  pushed,
  toTest,
} from '../../../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  deliver,
  promotionsOf,
  repositoryName,
  type WorkerEnvironment,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

const byTag = `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test }
`;
const byBranch = `
  - { name: to-test, on: { push: { branches: [main] } }, from: dev, to: test, version: commit }
`;

/** Commits on main, oldest first. */
async function commits(env: WorkerEnvironment, ...notes: readonly string[]): Promise<readonly string[]> {
  const made: string[] = [];
  for (const note of notes) made.push(await env.repository.commit('main', { 'notes.txt': note }));
  return made;
}

/** Publishes a version of a commit and pushes its tag, which may be elsewhere now. */
async function tagAt(env: WorkerEnvironment, name: string, commit: string): Promise<void> {
  await env.repository.tag(name, commit);
  await env.publish(name, commit);
}

test('a tag that was superseded does not take the lane back when it is moved to another older commit', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: byTag });
  const [first = '', second = '', third = ''] = await commits(env, '1', '2', '3');
  await tagAt(env, 'v-new', third);
  await pushed(env, worker, 'v-new');
  await ended(worker, 'to-test', 'v-new');
  await env.repository.tag('v-old', first);
  await pushed(env, worker, 'v-old');
  expect(await ended(worker, 'to-test', 'v-old')).toMatchObject({ outcome: 'superseded' });
  await env.repository.deleteTag('v-old');
  await tagAt(env, 'v-old', second);
  expect(await deliver(worker.url, await env.push('refs/tags/v-old', first))).toMatchObject({ status: 202 });
  const outcomes = async () => (await promotionsOf(worker.url, 'to-test')).map(({ outcome }) => outcome);
  await eventually(outcomes).toEqual(['superseded', 'superseded', 'passed']);
  expect(await env.versions('test')).toEqual(['v-new']);
});

test('after a roll-back, a tag that is older than the one that was rolled back is promoted, also without semantic versions', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest,
    seed: failingSecond('test'),
  });
  const [first = '', second = '', third = ''] = await commits(env, '1', '2', '3');
  for (const [name, commit] of [
    ['v-one', first],
    ['v-three', third],
  ] as const) {
    await tagAt(env, name, commit);
    await pushed(env, worker, name);
    await ended(worker, 'to-test', name);
  }
  expect(await env.versions('test')).toEqual(['!v-three', 'v-one']);
  await tagAt(env, 'v-two', second);
  await pushed(env, worker, 'v-two');
  expect(await ended(worker, 'to-test', 'v-two')).toMatchObject({ outcome: 'passed' });
});

test.each([
  ['semantic versions', '1.0.0', '1.1.0'],
  ['names without an order', 'first', 'again'],
])('a branch that is reset to an older commit does not take the lane back: %s', async (_, older, newer) => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: byBranch });
  const [first = '', second = ''] = await commits(env, '1', '2');
  await env.publish(older, first);
  await env.publish(newer, second);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await ended(worker, 'to-test', newer);
  await env.github.repository(repositoryName).git.git('update-ref', 'refs/heads/main', first);
  expect(await deliver(worker.url, await env.push('refs/heads/main', second))).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', older)).toMatchObject({
    outcome: 'superseded',
    message: `Superseded by ${newer}, which is newer and live; only an operator can take test back to an older version`,
  });
  expect(await env.versions('test')).toEqual([newer]);
});

test('a branch that is reset to another line of commits is promoted, and a retry may go back', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: byBranch });
  const [first = '', second = ''] = await commits(env, '1', '2');
  await env.publish('second', second);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await ended(worker, 'to-test', 'second');
  const reset = () => env.github.repository(repositoryName).git.git('update-ref', 'refs/heads/main', first);
  await reset();
  const amended = await env.repository.commit('main', { 'notes.txt': 'amended' });
  await env.publish('amended', amended);
  expect(await deliver(worker.url, await env.push('refs/heads/main', second))).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'amended')).toMatchObject({ outcome: 'passed' });
  await reset();
  await env.publish('first', first);
  expect(await deliver(worker.url, await env.push('refs/heads/main', amended))).toMatchObject({
    status: 202,
  });
  const { id } = await ended(worker, 'to-test', 'first');
  expect((await askWorker(worker.url, `promotions/${id}/retry`, {})).status).toBe(202);
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]).toMatchObject({
    version: 'first',
    outcome: 'passed',
  });
});

test('while GitHub does not compare the commits, a branch without semantic versions waits', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: byBranch }, { unansweredMs: 20 });
  const [first = ''] = await commits(env, '1');
  await env.publish('first', first);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await ended(worker, 'to-test', 'first');
  const [second = ''] = await commits(env, '2');
  expect(await deliver(worker.url, await env.push('refs/heads/main', first))).toMatchObject({ status: 202 });
  const newest = async () => (await promotionsOf(worker.url, 'to-test'))[0];
  await eventually(newest).toMatchObject({ commit: second, step: 'resolve' });
  env.github.interfere(({ path }) => (path.includes('/compare/') ? { status: 502 } : undefined));
  await env.publish('second', second);
  await eventually(newest).toMatchObject({
    version: 'second',
    status: expect.stringContaining('Waiting for GitHub'),
  });
  expect(await env.versions('test')).toEqual(['first']);
  env.github.interfere(undefined);
  await eventually(newest).toMatchObject({ version: 'second', outcome: 'passed' });
});

test('while GitHub does not show the commits, a branch that was reset waits, and does not go back', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: byBranch }, { unansweredMs: 20 });
  const [first = '', second = ''] = await commits(env, '1', '2');
  await env.publish('second', second);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await ended(worker, 'to-test', 'second');
  await env.github.repository(repositoryName).git.git('update-ref', 'refs/heads/main', first);
  expect(await deliver(worker.url, await env.push('refs/heads/main', second))).toMatchObject({ status: 202 });
  const newest = async () => (await promotionsOf(worker.url, 'to-test'))[0];
  await eventually(newest).toMatchObject({ commit: first, step: 'resolve' });
  env.github.interfere(({ path }) => (/\/(?:compare|commits)\//.test(path) ? { status: 404 } : undefined));
  await env.publish('first', first);
  await eventually(newest).toMatchObject({
    status: 'Waiting for GitHub: it does not show the commit of first or of second',
  });
  env.github.interfere(undefined);
  await eventually(newest).toMatchObject({ version: 'first', outcome: 'superseded' });
  expect(await env.versions('test')).toEqual(['second']);
});

test('a branch that was reset does not go back if GitHub shows the commits just after it could not compare them', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: byBranch }, { unansweredMs: 20 });
  const [first = '', second = ''] = await commits(env, '1', '2');
  await env.publish('second', second);
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await ended(worker, 'to-test', 'second');
  await env.github.repository(repositoryName).git.git('update-ref', 'refs/heads/main', first);
  expect(await deliver(worker.url, await env.push('refs/heads/main', second))).toMatchObject({ status: 202 });
  const newest = async () => (await promotionsOf(worker.url, 'to-test'))[0];
  await eventually(newest).toMatchObject({ commit: first, step: 'resolve' });
  let comparisons = 0;
  env.github.interfere(({ path }) => {
    if (!path.includes('/compare/')) return undefined;
    comparisons += 1;
    return comparisons === 1 ? { status: 404 } : undefined;
  });
  await env.publish('first', first);
  await eventually(newest).toMatchObject({ version: 'first', outcome: 'superseded' });
  expect(comparisons).toBe(2);
  expect(await env.versions('test')).toEqual(['second']);
});
