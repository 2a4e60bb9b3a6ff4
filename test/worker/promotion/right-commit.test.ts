import { expect, test } from 'vitest';
import type { PromotionLane } from '../../../worker/records/promotion-task.ts';
import { testRedis } from '../../environment/redis.ts';
import { release } from '../../environment/worker/lanes-at-work.ts';
import { projectId } from '../../environment/worker/worker-environment.ts';
import { approvers, oneLane, type OneLane } from './gates/one-lane.ts';

const redis = testRedis();

/** A commit that is on no branch that worker.yaml allows. */
async function unreviewed(lane: OneLane): Promise<string> {
  return lane.env.repository.commit('feature', { 'notes.txt': 'not reviewed' }, { from: 'main' });
}

const toProd: PromotionLane = {
  name: 'to-prod',
  id: `77/${projectId}/to-prod`,
  project: projectId,
  credential: 'platform',
  from: 'test',
  to: 'prod',
  policy: 'latest',
  verify: [],
  onFailure: 'hold',
  gates: { approvals: 0, soak: 0, freeze: [], windows: [] },
  next: [],
};

const short = (commit: string): string => commit.slice(0, 12);

/** The platform lists its artifacts without their commits. */
function listWithoutCommits(lane: OneLane, version: string): void {
  const at = new Date().toISOString();
  const one = { versionName: version, environmentName: 'dev', enabled: true, createdAt: at };
  const body = { page: 0, size: 100, total: 1, results: [one] };
  lane.env.platform.faults.add([{ operation: 'artifacts.list', status: 200, body, times: 1 }]);
}

test('a version of the tag’s name that was built from another commit is refused, and its commit shows this', async () => {
  const lane = await oneLane(redis);
  const other = await unreviewed(lane);
  await lane.env.publish('v1.0.0', other);
  const commit = await lane.env.repository.commit('main', { 'notes.txt': 'reviewed' });
  const promotion = await lane.push('v1.0.0', { commit }, { published: true });
  const text = `v1.0.0 in dev was built from commit ${short(other)}, not from ${short(commit)}`;
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'failed',
    report: { state: 'failure', text },
  });
  expect(lane.promotions()).toBe(0);
});

test('after a tag was moved, its old artifact is refused, even if it is already in the target', async () => {
  const lane = await oneLane(redis);
  const first = await lane.push('v1.0.0');
  expect(await lane.advance(first)).toMatchObject({ outcome: 'passed' });
  const moved = await lane.env.repository.commit('main', { 'notes.txt': 'moved' });
  const again = await lane.push('v1.0.0', { commit: moved }, { published: true, id: 'moved' });
  expect(await lane.advance(again)).toMatchObject({ outcome: 'failed', version: 'v1.0.0' });
  expect((await lane.ports.store.lane(lane.lane))?.verified?.promotion).toBe(first);
});

test('a version in the target that was built from another commit does not count as promoted', async () => {
  const lane = await oneLane(redis);
  await lane.env.publish('v1.0.0', await unreviewed(lane), 'prod');
  await lane.env.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'prod',
    targetEnvironmentName: 'test',
    versionName: 'v1.0.0',
  });
  const promotion = await lane.push('v1.0.0');
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('v1.0.0 in test was built from commit'),
  });
});

test('the newest version of the source is refused if its commit is on no allowed branch', async () => {
  const lane = await oneLane(redis);
  await release(lane.env, 'v0.9.0');
  const commit = await unreviewed(lane);
  await lane.env.publish('v1.0.0', commit);
  const promotion = await lane.push('v0.9.0', { version: { kind: 'latest' } }, { published: true });
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'failed',
    message: `v1.0.0 in dev was built from commit ${short(commit)}, which is on no allowed branch`,
  });
  expect(lane.promotions()).toBe(0);
});

test('the newest version of the source waits while GitHub does not show its commit, then passes', async () => {
  const lane = await oneLane(redis);
  await lane.env.publish('v1.0.0', await lane.env.repository.commit('main', { 'notes.txt': 'built' }));
  await lane.env.repository.commit('main', { 'notes.txt': 'later' });
  const promotion = await lane.push('v0.9.0', { version: { kind: 'latest' } }, { published: true });
  lane.env.github.interfere(({ path }) =>
    path.includes('/compare/') || path.includes('/commits/') ? { status: 404 } : undefined,
  );
  const waiting = await lane.advance(promotion);
  expect(waiting.outcome).toBeUndefined();
  expect(waiting.report?.text).toContain('which GitHub does not show');
  lane.env.github.interfere(undefined);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed', version: 'v1.0.0' });
});

test('the newest version of the source is refused if GitHub does not show its commit for some minutes', async () => {
  const lane = await oneLane(redis);
  await release(lane.env, 'v0.9.0');
  await lane.env.publish('v1.0.0', 'd'.repeat(40));
  const promotion = await lane.push('v0.9.0', { version: { kind: 'latest' } }, { published: true });
  expect((await lane.advance(promotion)).outcome).toBeUndefined();
  await lane.clock.advance(lane.ports.settings.headWaitMs);
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'failed',
    message: 'v1.0.0 in dev was built from commit dddddddddddd, which GitHub does not show',
  });
});

test('the newest version of the source is allowed if GitHub shows its commit just after it could not compare it', async () => {
  const lane = await oneLane(redis);
  await lane.env.publish('v1.0.0', await lane.env.repository.commit('main', { 'notes.txt': 'built' }));
  await lane.env.repository.commit('main', { 'notes.txt': 'later' });
  const promotion = await lane.push('v0.9.0', { version: { kind: 'latest' } }, { published: true });
  let comparisons = 0;
  lane.env.github.interfere(({ path }) => {
    if (!path.includes('/compare/')) return undefined;
    comparisons += 1;
    return comparisons === 1 ? { status: 404 } : undefined;
  });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed', version: 'v1.0.0' });
});

test('the newest version of the source is refused if the platform names a branch in place of its commit', async () => {
  const lane = await oneLane(redis);
  await release(lane.env, 'v0.9.0');
  await lane.env.publish('v1.0.0', 'main');
  const promotion = await lane.push('v0.9.0', { version: { kind: 'latest' } }, { published: true });
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'failed',
    message: 'the platform says that v1.0.0 in dev was built from "main", which is not a whole commit id',
  });
});

test('the newest version of the source passes with its own commit, which the next lane expects too', async () => {
  const lane = await oneLane(redis, { lane: { next: [toProd] } });
  const commit = await release(lane.env, 'v1.0.0');
  const pushed = await lane.env.repository.commit('main', { 'notes.txt': 'later' });
  const promotion = await lane.push(
    'v1.0.0',
    { commit: pushed, version: { kind: 'latest' } },
    { published: true },
  );
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed', artifactCommit: commit });
  expect(await lane.ask('ada', 'GET', `promotions/${promotion}`)).toMatchObject({
    body: { commit: pushed, artifactCommit: commit },
  });
  const next = (await lane.ports.store.lane(toProd.id))?.active ?? '';
  expect(await lane.advance(next)).toMatchObject({
    outcome: 'passed',
    task: { version: { kind: 'named', name: 'v1.0.0', commit } },
  });
});

test.each([
  ['', 'failed'],
  ['    artifacts-without-commit: accept\n', 'passed'],
])(
  'without a commit of the artifact, and with %j in worker.yaml, the promotion ends as %s',
  async (key, outcome) => {
    const lane = await oneLane(redis, { policy: `${approvers}${key}` });
    const promotion = await lane.push('v1.0.0');
    listWithoutCommits(lane, 'v1.0.0');
    const ended = await lane.advance(promotion);
    expect(ended).toMatchObject({ outcome });
    if (outcome === 'failed') expect(ended.message).toContain('the platform does not say from which commit');
  },
);

test('while GitHub does not answer, the promotion waits', async () => {
  const lane = await oneLane(redis);
  await release(lane.env, 'v1.0.0');
  lane.env.github.interfere(() => ({ status: 502, body: { message: 'bad gateway' } }));
  const promotion = await lane.push('v1.0.0', { version: { kind: 'latest' } }, { published: true });
  expect(await lane.advance(promotion)).toMatchObject({
    state: 'active',
    report: { text: expect.stringContaining('Waiting for GitHub') },
  });
  lane.env.github.interfere(undefined);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('for a version without a commit, the required check is about the pushed commit', async () => {
  const policy = `${approvers}    artifacts-without-commit: accept\n`;
  const lane = await oneLane(redis, { policy, gates: { checks: ['review'] } });
  const promotion = await lane.push('v1.0.0');
  listWithoutCommits(lane, 'v1.0.0');
  expect((await lane.advance(promotion)).report.text).toBe(
    'Waiting for the check "review": the commit does not have it yet',
  );
});
