import { Queue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import { commentOn } from '../environment/worker/comment-on.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { askWorker, deliver, delivery, promotionsOf } from '../environment/worker/worker-environment.ts';

const redis = testRedis();
const gated = (gates: string) => toTest.replace('to: test', `to: test\n    gates: ${gates}`);

test('a frozen lane waits and reports it, and only reads reach the platform', async () => {
  const days = '{ freeze: [{ days: [mon, tue, wed, thu, fri, sat, sun] }] }';
  const { env, worker } = await createTestEnvironment(redis, { lanes: gated(days) });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toBe(
    'pending: Waiting: test is frozen at this time',
  );
  expect(env.wire.calls.every(({ method }) => method === 'GET')).toBe(true);
});

test('a version that has not stood long enough in the source waits', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: gated('{ soak: 1h }') });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(
    /^pending: Waiting until [\dT:-]+Z: until then v1\.0\.0 must stay live in dev \(soak time\)$/,
  );
  expect(env.wire.count('POST', '/promotions')).toBe(0);
});

test('the age of a wait at a gate counts from its start, however often the gate is checked', async () => {
  const days = '{ freeze: [{ days: [mon, tue, wed, thu, fri, sat, sun] }] }';
  const { env, worker } = await createTestEnvironment(redis, { lanes: gated(days) }, { gateMs: 20 });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const since = async () => {
    const [{ id } = { id: '' }] = await promotionsOf(worker.url, 'to-test');
    const shown = await askWorker<{ waitsFor: string; progress: { since: string } }>(
      worker.url,
      `promotions/${id}`,
    );
    return shown.body.waitsFor === 'freeze' ? shown.body.progress.since : undefined;
  };
  await eventually(since).toBeDefined();
  const first = await since();
  const key = `${env.prefix}:promotion:${(await promotionsOf(worker.url, 'to-test'))[0]?.id}`;
  const stepSince = async () =>
    (JSON.parse((await redis.connect().hget(key, 'step')) ?? '{}') as { since: number }).since;
  const before = await stepSince();
  // It was checked again.
  await eventually(stepSince).not.toBe(before);
  expect(await since()).toBe(first);
});

test('a gate of worker.yaml applies although millrace.yaml does not have it', async () => {
  const { env, worker } = await createTestEnvironment(redis, {
    lanes: toTest,
    policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    gates: { test: { soak: 1h } }
`,
  });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toContain('v1.0.0 must stay live in dev');
  expect(env.wire.count('POST', '/promotions')).toBe(0);
});

/** A promotion that waits for the approval of its merged pull request, and a worker that answers comments. */
async function awaiting() {
  const permissions = {
    checks: 'read',
    contents: 'read',
    pull_requests: 'write',
    statuses: 'write',
  } as const;
  const { env, worker } = await createTestEnvironment(
    redis,
    {
      lanes: gated('{ approvals: 1 }'),
      policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    approvers: [ada]
github: { answer-comments: true }
`,
      github: { tokens: { worker: { login: 'worker', permissions } } },
    },
    { notifyTickMs: 20 },
  );
  const repository = env.github.repository('example/warehouse');
  repository.collaborators.set('ada', { id: 11, login: 'ada', permission: 'write' });
  await env.repository.commit('feature', { 'notes.txt': 'feature' }, { from: 'main' });
  env.github.openPull('example/warehouse', { head: 'feature', base: 'main' });
  const commit = await release(env, 'v1.0.0');
  const [pull] = repository.pulls;
  if (pull !== undefined) pull.mergeCommit = commit;
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toBe(
    'pending: Waiting for 1 approval (ada may approve)',
  );
  expect(env.wire.count('POST', '/promotions')).toBe(0);
  return { env, worker };
}

async function comment(worker: { readonly url: string }) {
  const createdAt = new Date().toISOString();
  const reported = delivery('issue_comment', commentOn({ text: '/millrace approve', createdAt }));
  expect(await deliver(worker.url, reported)).toMatchObject({ status: 202 });
  return reported;
}

test('a comment on the pull request of a promotion that waits approves it, and is answered once', async () => {
  const { env, worker } = await awaiting();
  const reported = await comment(worker);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  const { comments } = env.github.repository('example/warehouse');
  await eventually(() => comments.map(({ body }) => body)).toEqual([
    expect.stringContaining('The comment approves the promotion of v1'),
  ]);
  expect(await deliver(worker.url, reported)).toMatchObject({ result: 'duplicate' });
  expect(comments).toHaveLength(1);
});

test('a comment whose ingest keeps failing becomes a dead letter, and a replay ingests it', async () => {
  const { env, worker } = await awaiting();
  env.github.interfere(({ path }) =>
    path.includes('/collaborators/') ? { status: 502, body: { message: 'bad gateway' } } : undefined,
  );
  await comment(worker);
  const ingest = new Queue('ingest', { connection: redis.connect(), prefix: env.prefix });
  onTestFinished(() => ingest.close());
  await eventually(async () => (await ingest.getDelayed()).length).toBe(1);
  const [job] = await ingest.getDelayed();
  // So many tries were made before that this is the last.
  await redis.connect().hset(`${env.prefix}:ingest:${job?.id}`, 'atm', '4499');
  // On a slow machine its time has come by itself in the meantime.
  await job?.promote().catch(() => undefined);
  const letters = async () =>
    (await askWorker<{ deadLetters: { id: string }[] }>(worker.url, 'dead-letters')).body.deadLetters;
  await eventually(async () => (await letters()).length).toBe(1);
  const [letter] = await letters();
  expect(letter).toMatchObject({ queue: 'ingest', kind: 'exhausted', pull: 1, ref: null });
  env.github.interfere(undefined);
  const path = `dead-letters/${encodeURIComponent(letter?.id ?? '')}/replay`;
  expect(await askWorker(worker.url, path, {})).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await letters()).toEqual([]);
});
