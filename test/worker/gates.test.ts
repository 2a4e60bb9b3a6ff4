import { expect, test } from 'vitest';
import { testRedis } from '../redis.ts';
import { commentOn } from './comment-on.ts';
import { begin, ended, pushed, release, toTest } from './lanes-at-work.ts';
import { eventually } from './eventually.ts';
import { deliver, delivery } from './surroundings.ts';

const redis = testRedis();
const gated = (gates: string) => toTest.replace('to: test', `to: test\n    gates: ${gates}`);

test('a frozen lane waits and says so, and nothing reaches the platform but reading', async () => {
  const days = '{ freeze: [{ days: [mon, tue, wed, thu, fri, sat, sun] }] }';
  const { around, worker } = await begin(redis, { lanes: gated(days) });
  const commit = await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await eventually(() => around.status(commit, 'millrace/to-test')).toBe(
    'pending: Waiting: test is frozen at this time',
  );
  expect(around.wire.calls.every(({ method }) => method === 'GET')).toBe(true);
});

test('a version that has not stood long enough in the source waits', async () => {
  const { around, worker } = await begin(redis, { lanes: gated('{ soak: 1h }') });
  const commit = await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await eventually(() => around.status(commit, 'millrace/to-test')).toMatch(
    /^pending: Waiting until [\dT:-]+Z: v1\.0\.0 soaks in dev$/,
  );
  expect(around.wire.count('POST', '/promotions')).toBe(0);
});

test('a gate of worker.yaml counts although millrace.yaml knows nothing of it', async () => {
  const { around, worker } = await begin(redis, {
    lanes: toTest,
    policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    gates: { test: { soak: 1h } }
`,
  });
  const commit = await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await eventually(() => around.status(commit, 'millrace/to-test')).toContain('v1.0.0 soaks in dev');
  expect(around.wire.count('POST', '/promotions')).toBe(0);
});

test('a run that waits for approval is seen on GitHub, and a comment on its pull request lets it go', async () => {
  const { around, worker } = await begin(redis, {
    lanes: gated('{ approvals: 1 }'),
    policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    approvers: [ada]
`,
  });
  const repository = around.github.repository('example/warehouse');
  repository.collaborators.set('ada', { id: 11, login: 'ada', permission: 'write' });
  await around.repository.commit('feature', { 'notes.txt': 'feature' }, { from: 'main' });
  around.github.openPull('example/warehouse', { head: 'feature', base: 'main' });
  const commit = await release(around, 'v1.0.0');
  const [pull] = repository.pulls;
  if (pull !== undefined) pull.mergeCommit = commit;
  await pushed(around, worker, 'v1.0.0');
  await eventually(() => around.status(commit, 'millrace/to-test')).toBe(
    'pending: Waiting for 1 approval (ada may approve)',
  );
  expect(around.wire.count('POST', '/promotions')).toBe(0);
  const createdAt = new Date().toISOString();
  const comment = delivery('issue_comment', commentOn({ text: '/millrace approve', createdAt }));
  expect(await deliver(worker.url, comment)).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});
