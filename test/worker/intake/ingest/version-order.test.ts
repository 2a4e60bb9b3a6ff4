import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import {
  createTestEnvironment,
  ended,
  laneId,
  pushed,
  release,
  resumeLane,
  toTest,
} from '../../../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  promotionsOf,
  type WorkerEnvironment,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

/** A lane without verifications; `more` are further keys. */
const lane = (more = '') => `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test${more} }
`;

/** A second tag on a commit, and its artifact. */
async function releaseAt(
  env: WorkerEnvironment,
  version: string,
  commit: string,
  message?: string,
): Promise<void> {
  await env.repository.tag(version, commit, message);
  await env.publish(version, commit);
}

interface ShownDelivery {
  readonly ref: string | null;
  readonly ingestResult?: string;
  readonly noPromotion: string | null;
}

async function resultOf(url: string, tag: string): Promise<ShownDelivery | undefined> {
  const { body } = await askWorker<{ deliveries: readonly ShownDelivery[] }>(url, 'deliveries');
  return body.deliveries.find(({ ref }) => ref === `refs/tags/${tag}`);
}

const ingested = (url: string, tag: string) =>
  eventually(async () => (await resultOf(url, tag))?.ingestResult).toBeDefined();

test('a release candidate that arrives after its release on the same commit does not replace it', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane() });
  const commit = await release(env, 'v1.2.0');
  await releaseAt(env, 'v1.2.0-rc.1', commit);
  await pushed(env, worker, 'v1.2.0');
  await ended(worker, 'to-test', 'v1.2.0');
  await pushed(env, worker, 'v1.2.0-rc.1');
  expect(await ended(worker, 'to-test', 'v1.2.0-rc.1')).toMatchObject({
    outcome: 'superseded',
    message: 'Superseded by v1.2.0, which is newer',
  });
  await ingested(worker.url, 'v1.2.0-rc.1');
  expect(await resultOf(worker.url, 'v1.2.0-rc.1')).toMatchObject({ noPromotion: 'older-version' });
  expect(await env.versions('test')).toEqual(['v1.2.0']);
  // The status of the commit stays about its release.
  await release(env, 'v1.3.0');
  await pushed(env, worker, 'v1.3.0');
  await ended(worker, 'to-test', 'v1.3.0');
  expect(env.status(commit, 'millrace/to-test')).toBe('success: v1.2.0 is in test');
});

test('a release that arrives after its candidate on the same commit is promoted', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane() });
  const commit = await release(env, 'v1.2.0-rc.1');
  await releaseAt(env, 'v1.2.0', commit);
  for (const version of ['v1.2.0-rc.1', 'v1.2.0']) {
    await pushed(env, worker, version);
    await ended(worker, 'to-test', version);
  }
  expect(await env.versions('test')).toEqual(['v1.2.0', 'v1.2.0-rc.1']);
});

test('a tag of an older release line, on a later commit, does not take the lane back', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane() });
  await release(env, 'v2.0.0');
  await pushed(env, worker, 'v2.0.0');
  await ended(worker, 'to-test', 'v2.0.0');
  await release(env, 'v1.9.5');
  await pushed(env, worker, 'v1.9.5');
  expect(await ended(worker, 'to-test', 'v1.9.5')).toMatchObject({ outcome: 'superseded' });
  expect(await env.versions('test')).toEqual(['v2.0.0']);
});

test('of two other names on one commit, the name of the tag that was made later is newer', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane() });
  const commit = await env.repository.commit('main', { 'notes.txt': '1' });
  await releaseAt(env, 'v-earlier', commit, 'made first');
  const seconds = await env.repository.tagTime('v-earlier');
  await env.repository.tag('v-later', commit, 'made second', seconds + 60);
  await env.publish('v-later', commit);
  await pushed(env, worker, 'v-later');
  await ended(worker, 'to-test', 'v-later');
  await pushed(env, worker, 'v-earlier');
  expect(await ended(worker, 'to-test', 'v-earlier')).toMatchObject({ outcome: 'superseded' });
});

test('a tag on an ancestor is older, whatever the clocks, also if GitHub shows the commits just after it could not compare them', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane() });
  const seconds = 1_790_000_000;
  const older = await env.repository.commit('main', { 'notes.txt': '1' }, { seconds });
  await env.repository.commit('main', { 'notes.txt': '2' }, { seconds });
  const newer = await env.repository.commit('main', { 'notes.txt': '3' }, { seconds: seconds - 60 });
  await releaseAt(env, 'v-newer', newer);
  await pushed(env, worker, 'v-newer');
  await ended(worker, 'to-test', 'v-newer');
  env.repository.setBranch('main', older);
  await releaseAt(env, 'v-older', older);
  let comparisons = 0;
  env.github.interfere(({ path }) => {
    if (!path.includes('/compare/')) return undefined;
    comparisons += 1;
    return comparisons === 1 ? { status: 404 } : undefined;
  });
  await pushed(env, worker, 'v-older');
  await ingested(worker.url, 'v-older');
  expect(await resultOf(worker.url, 'v-older')).toMatchObject({ noPromotion: 'older-version' });
});

test('a tag is promoted after a version whose commit GitHub no longer has', async () => {
  const waits = { headWaitMs: 200, unansweredMs: 20 };
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane() }, waits);
  const base = await env.repository.commit('main', { 'notes.txt': 'base' });
  const gone = await release(env, 'v-gone');
  await pushed(env, worker, 'v-gone');
  await ended(worker, 'to-test', 'v-gone');
  env.repository.setBranch('main', base);
  env.github.interfere(({ path }) => {
    if (!path.includes(gone)) return undefined;
    return { status: path.includes('/commits/') ? 422 : 404 };
  });
  await release(env, 'v-next');
  await pushed(env, worker, 'v-next');
  expect(await ended(worker, 'to-test', 'v-next')).toMatchObject({ outcome: 'passed' });
});

test.each([
  ['v1.2.0-rc.1', ', versions: { prereleases: false }', 'pre-release'],
  ['v2.0.0', ', versions: { allow: ">=1.2 <2" }', 'range >=1.2 <2'],
  ['vega', ', versions: { order: semantic }', 'not a semantic version'],
])('%s is not promoted by a lane with%s', async (version, more, reason) => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane(more) });
  await release(env, version);
  await pushed(env, worker, version);
  await ingested(worker.url, version);
  const result = await resultOf(worker.url, version);
  expect(result?.noPromotion).toBe('version-not-allowed');
  expect(result?.ingestResult).toContain(reason);
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);
});

test('a lane after another one takes only the versions that it allows', async () => {
  const lanes = `${lane()}
  - { name: to-prod, after: to-test, from: test, to: prod, versions: { prereleases: false } }
`;
  const { env, worker } = await createTestEnvironment(redis, { lanes });
  const commit = await release(env, 'v1.2.0-rc.1');
  await pushed(env, worker, 'v1.2.0-rc.1');
  const { id } = await ended(worker, 'to-test', 'v1.2.0-rc.1');
  await releaseAt(env, 'v1.2.0', commit);
  await pushed(env, worker, 'v1.2.0');
  await ended(worker, 'to-prod', 'v1.2.0');
  expect(await env.versions('prod')).toEqual(['v1.2.0']);
  const { body } = await askWorker<{ history: readonly { what: string }[] }>(worker.url, `promotions/${id}`);
  expect(body.history.map(({ what }) => what)).toContain('not-followed');
});

test('after a roll-back by hand, a version that is older than the rolled-back one is promoted', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  for (const version of ['v1.2.0', 'v1.3.0']) {
    await release(env, version);
    await pushed(env, worker, version);
    await ended(worker, 'to-test', version);
  }
  const rolledBack = await askWorker(worker.url, `lanes/${laneId('to-test')}/roll-back`, {
    reason: 'bad rows',
  });
  expect(rolledBack.status).toBe(200);
  await resumeLane(worker, 'to-test');
  await release(env, 'v1.2.1');
  await pushed(env, worker, 'v1.2.1');
  expect(await ended(worker, 'to-test', 'v1.2.1')).toMatchObject({ outcome: 'passed' });
});
