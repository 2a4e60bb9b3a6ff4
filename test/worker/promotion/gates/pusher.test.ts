import { expect, test } from 'vitest';
import { createTestEnvironment, release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  deliver,
  delivery,
  askWorker,
  promotionsOf,
} from '../../../environment/worker/worker-environment.ts';
import { commentOn } from '../../../environment/worker/comment-on.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();
const lanes = toTest
  .replace('tags: ["v*"]', 'branches: [main]')
  .replace('to: test', 'to: test\n    gates: { approvals: 1 }');
const policy = `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    approvers: [ada, grace]
`;

test('the pusher of the head is its pusher although the event of an earlier push brought it in', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes, policy }, { gateMs: 3_600_000 });
  const first = await release(env, 'v1.0.0');
  const early = await env.github.events.push('example/warehouse', 'refs/heads/main', first);
  const head = await release(env, 'v1.1.0');
  const late = await env.github.events.push('example/warehouse', 'refs/heads/main', first);

  // ada's push comes first, but by now the head is grace's.
  expect(early.after).not.toBe(head);
  const byAda = delivery('push', { ...early, sender: { id: 11, login: 'ada' } });
  expect(await deliver(worker.url, byAda)).toMatchObject({ status: 202 });
  await eventually(() => promotionsOf(worker.url, 'to-test')).toHaveLength(1);
  const [promotion] = await promotionsOf(worker.url, 'to-test');
  const shown = async () =>
    (
      await askWorker<{ pusher: string | null; status: string }>(
        worker.url,
        `promotions/${promotion?.id ?? ''}`,
      )
    ).body;
  expect(await shown()).toMatchObject({ commit: head, pusher: null });
  await eventually(async () => (await shown()).status).toBe(
    'Waiting for 2 approvals (ada, grace may approve)',
  );

  const byGrace = delivery('push', { ...late, sender: { id: 12, login: 'grace' } });
  expect(await deliver(worker.url, byGrace)).toMatchObject({ status: 202 });
  await eventually(async () => (await shown()).pusher).toBe('grace');
  // Not only when the gate is checked the next time.
  await eventually(async () => (await shown()).status).toBe('Waiting for 1 approval (ada may approve)');
  expect(await promotionsOf(worker.url, 'to-test')).toHaveLength(1);
});

test('authors whom only a later event of the head names may not approve either', async () => {
  const strict = lanes.replace('approvals: 1', 'approvals: 1, authors-may-approve: false');
  const { env, worker } = await createTestEnvironment(redis, { lanes: strict, policy }, { gateMs: 300 });
  const first = await release(env, 'v1.0.0');
  const early = await env.github.events.push('example/warehouse', 'refs/heads/main', first);
  const head = await release(env, 'v1.1.0');
  const late = await env.github.events.push('example/warehouse', 'refs/heads/main', first);
  const by = (push: object, id: number, login: string) =>
    delivery('push', { ...push, sender: { id, login } });
  // The first event brings the head in; who wrote it is in the second.
  expect(await deliver(worker.url, by({ ...early, commits: [] }, 13, 'mallory'))).toMatchObject({
    status: 202,
  });
  await eventually(() => promotionsOf(worker.url, 'to-test')).toHaveLength(1);
  const commits = [{ id: head, author: { username: 'Ada' }, committer: { username: 'web-flow' } }];
  expect(await deliver(worker.url, by({ ...late, commits }, 14, 'trent'))).toMatchObject({ status: 202 });
  const [promotion] = await promotionsOf(worker.url, 'to-test');
  await eventually(
    async () =>
      (await askWorker<{ status: string }>(worker.url, `promotions/${promotion?.id ?? ''}`)).body.status,
  ).toBe('Waiting for 2 approvals (grace may approve)');
});

test('everyone who pushed the same head to the same ref is a pusher, not only the first one', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes, policy }, { gateMs: 300 });
  const first = await release(env, 'v1.0.0');
  await release(env, 'v1.1.0');
  const push = await env.github.events.push('example/warehouse', 'refs/heads/main', first);
  for (const [id, login] of [
    [13, 'mallory'],
    [11, 'ada'],
  ] as const) {
    const event = delivery('push', { ...push, forced: id === 11, sender: { id, login } });
    expect(await deliver(worker.url, event)).toMatchObject({ status: 202 });
    await eventually(() => promotionsOf(worker.url, 'to-test')).toHaveLength(1);
  }
  const [promotion] = await promotionsOf(worker.url, 'to-test');
  const status = async () =>
    (await askWorker<{ pusher: string; status: string }>(worker.url, `promotions/${promotion?.id ?? ''}`))
      .body;
  await eventually(status).toMatchObject({
    pusher: 'mallory',
    status: 'Waiting for 1 approval (grace may approve)',
  });
});

test('who pushed an annotated tag is known, though the event names the tag and not its commit', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const commit = await env.repository.commit('main', { 'notes.txt': 'x' });
  await env.repository.tag('v1.0.0', commit, 'with words');
  const push = await env.github.events.push('example/warehouse', 'refs/tags/v1.0.0');
  const event = { ...push, head_commit: { id: commit }, sender: { id: 11, login: 'ada' } };
  expect(push.after).not.toBe(commit);
  expect(await deliver(worker.url, delivery('push', event))).toMatchObject({ status: 202 });
  await eventually(() => promotionsOf(worker.url, 'to-test')).toMatchObject([{ commit, pusher: 'ada' }]);
});

test('an author who has another login since the push still cannot approve, as a member of a team', async () => {
  const strict = lanes.replace('approvals: 1', 'approvals: 1, authors-may-approve: false');
  const team = policy.replace('[ada, grace]', '["@example/platform"]');
  const { env, worker } = await createTestEnvironment(redis, { lanes: strict, policy: team });
  const repository = env.github.repository('example/warehouse');
  repository.collaborators.set('mallory', { id: 13, login: 'mallory', permission: 'write' });
  await env.repository.commit('feature', { 'notes.txt': 'feature' }, { from: 'main' });
  env.github.openPull('example/warehouse', { head: 'feature', base: 'main' });
  const first = await release(env, 'v1.0.0');
  const head = await release(env, 'v1.1.0');
  const [pull] = repository.pulls;
  if (pull !== undefined) pull.mergeCommit = head;
  const push = await env.github.events.push('example/warehouse', 'refs/heads/main', first);
  const commits = [{ id: head, author: { username: 'Mallory' }, committer: { username: 'web-flow' } }];
  const byTrent = delivery('push', { ...push, commits, sender: { id: 14, login: 'trent' } });
  expect(await deliver(worker.url, byTrent)).toMatchObject({ status: 202 });
  await eventually(() => env.status(head, 'millrace/to-test')).toContain('Waiting for 2 approvals');

  repository.collaborators.delete('mallory');
  repository.collaborators.set('mallory-2', { id: 13, login: 'mallory-2', permission: 'write' });
  repository.memberships.set('platform/mallory-2', 'active');
  const author = { id: 13, login: 'mallory-2' };
  const createdAt = new Date().toISOString();
  const comment = delivery('issue_comment', commentOn({ text: '/millrace approve', author, createdAt }));
  expect(await deliver(worker.url, comment)).toMatchObject({ status: 202 });
  const results = async () => JSON.stringify((await askWorker<unknown>(worker.url, 'deliveries')).body);
  await eventually(results).toMatch(/approved promotion|nothing was done: a person who wrote a commit/);
  expect(await results()).toContain('nothing was done: a person who wrote a commit');
});

test('a push is accepted although the worker may not read who its authors are on GitHub', async () => {
  const strict = lanes.replace('approvals: 1', 'approvals: 1, authors-may-approve: false');
  const { env, worker } = await createTestEnvironment(redis, { lanes: strict, policy });
  const message = 'Resource not accessible by personal access token';
  env.github.interfere(({ path }) =>
    path.includes('/collaborators/') ? { status: 403, body: { message } } : undefined,
  );
  const first = await release(env, 'v1.0.0');
  const head = await release(env, 'v1.1.0');
  const push = await env.github.events.push('example/warehouse', 'refs/heads/main', first);
  const commits = [{ id: head, author: { username: 'Ada' }, committer: { username: 'web-flow' } }];
  expect(await deliver(worker.url, delivery('push', { ...push, commits }))).toMatchObject({ status: 202 });
  await eventually(() => env.status(head, 'millrace/to-test')).toBe(
    'pending: Waiting for 2 approvals (grace may approve)',
  );
});
