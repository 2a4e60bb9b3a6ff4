import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { tagged } from '../../../environment/worker/lanes-at-work.ts';
import { ingestedLanes } from './unlisted-authors.ts';

const redis = testRedis();

const strict = 'gates: { approvals: 1, authors-may-approve: false }';
const toTest = (gates = strict) => `
  - { name: to-test, on: { push: { tags: ["v*"], branches: ["release/*"] } }, from: dev, to: test, ${gates} }
`;
const toProd = `${toTest('gates: { approvals: 0 }')}
  - { name: to-prod, after: to-test, from: test, to: prod, ${strict} }
`;

const oneOf = (who: string) => `Waiting for 1 approval (${who} may approve)`;
const twoOf = (who: string) => `Waiting for 2 approvals (${who} may approve)`;

test('the authors of all commits since the verified version may not approve a tag', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  await lanes.verify(await lanes.tag('v1.0.0'));
  await lanes.commit('ada');
  await lanes.commit('mallory');
  expect(await lanes.waitsFor(await lanes.tag('v1.1.0'))).toBe(oneOf('grace, trent'));
  // Nor the next tag, which contains them, until one is verified.
  await lanes.commit('grace');
  const next = await lanes.tag('v1.2.0');
  expect(await lanes.waitsFor(next)).toBe(oneOf('trent'));
  await lanes.verify(next);
  await lanes.commit('mallory');
  expect(await lanes.waitsFor(await lanes.tag('v1.3.0'))).toBe(oneOf('ada, grace, trent'));
});

test('a tag needs one approval more if nothing was verified in its target yet', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  expect(await lanes.waitsFor(await lanes.tag('v1.0.0'))).toBe(twoOf('ada, grace, trent'));
});

test('a tag needs one approval more if GitHub knows no account of an author', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  await lanes.verify(await lanes.tag('v1.0.0'));
  await lanes.commit('stranger');
  await lanes.commit('ada');
  expect(await lanes.waitsFor(await lanes.tag('v1.1.0'))).toBe(twoOf('grace, trent'));
});

test.each([
  ['no longer has the verified commit', 404, 'Not Found'],
  ['refuses the permission', 403, 'Resource not accessible by integration'],
  ['gives up the comparison', 500, 'Sorry, this diff is taking too long to generate.'],
])('a tag needs one approval more if GitHub %s', async (_, status, message) => {
  const lanes = await ingestedLanes(redis, toTest());
  await lanes.verify(await lanes.tag('v1.0.0'));
  await lanes.commit('ada');
  await lanes.env.repository.tag('v1.1.0', 'refs/heads/main');
  lanes.env.github.interfere(({ path, query }) =>
    path.includes('/compare/') && query.has('page') ? { status, body: { message } } : undefined,
  );
  expect(await lanes.waitsFor(await lanes.push('refs/tags/v1.1.0'))).toBe(twoOf('ada, grace, trent'));
});

test('the authors of a moved tag wrote the commits that the verified version does not contain', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  const base = await tagged(lanes.env, 'v0.9.0');
  await lanes.commit('ada');
  const verified = await lanes.tag('v1.0.0');
  const { task } = await lanes.verify(verified);
  // Not a descendant of the verified commit.
  await lanes.env.repository.commit('release/1', { 'a.txt': 'a' }, { from: base });
  const moved = await lanes.commit('grace', 'release/1');
  await lanes.env.repository.deleteTag('v1.0.0');
  await lanes.env.repository.tag('v1.0.0', moved);
  expect(await lanes.waitsFor(await lanes.push('refs/tags/v1.0.0', task.commit))).toBe(oneOf('ada, trent'));
});

test('the authors of a new branch are read, because its event does not list the commits either', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  await lanes.verify(await lanes.tag('v1.0.0'));
  await lanes.commit('ada');
  await lanes.env.repository.commit('release/1', { 'a.txt': 'a' }, { from: 'refs/heads/main' });
  expect(await lanes.waitsFor(await lanes.push('refs/heads/release/1'))).toBe(oneOf('grace, trent'));
});

test('a following lane reads the authors since its own verified version', async () => {
  const lanes = await ingestedLanes(redis, toProd);
  await lanes.follow(await lanes.verify(await lanes.tag('v1.0.0')));
  await lanes.verify(await lanes.newest('to-prod'));
  await lanes.commit('ada');
  // Verified in test, but never in prod.
  await lanes.verify(await lanes.tag('v1.1.0'));
  await lanes.commit('mallory');
  await lanes.follow(await lanes.verify(await lanes.tag('v1.2.0')));
  expect(await lanes.waitsFor(await lanes.newest('to-prod'))).toBe(oneOf('grace, trent'));
});

test('the commits of a push are listed once, and only where authors may not approve', async () => {
  const open = await ingestedLanes(redis, toTest('gates: { approvals: 1 }'));
  const strictLanes = await ingestedLanes(redis, toTest());
  for (const lanes of [open, strictLanes]) {
    await lanes.verify(await lanes.tag('v1.0.0'));
    await lanes.commit('ada');
    await lanes.tag('v1.1.0');
  }
  expect(open.listings()).toBe(0);
  expect(strictLanes.listings()).toBe(1);
  // Delivered again.
  await strictLanes.push('refs/tags/v1.1.0');
  expect(strictLanes.listings()).toBe(1);
});

test('a tag needs one approval more if worker.yaml forbids the approval of authors only since its push', async () => {
  const lanes = await ingestedLanes(redis, toTest('gates: { approvals: 1 }'));
  await lanes.verify(await lanes.tag('v1.0.0'));
  await lanes.commit('ada');
  const promotion = await lanes.tag('v1.1.0');
  expect(await lanes.waitsFor(promotion)).toBe(oneOf('ada, grace, trent'));
  const rule = '    gates: { test: { authors-may-approve: false } }\n';
  expect(await lanes.waitsFor(promotion, rule)).toBe(twoOf('ada, grace, trent'));
});

test('the verified commit is known after the record of its promotion was deleted', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  const { id } = await lanes.verify(await lanes.tag('v1.0.0'));
  await lanes.forget(id);
  await lanes.commit('ada');
  expect(await lanes.waitsFor(await lanes.tag('v1.1.0'))).toBe(oneOf('grace, trent'));
});

const byBranch = `
  - { name: to-test, on: { push: { branches: [main] } }, from: dev, to: test, version: commit, ${strict} }
  - { name: to-prod, after: to-test, from: test, to: prod, ${strict} }
`;

test('a branch needs one approval more if nothing was verified in its target yet', async () => {
  const lanes = await ingestedLanes(redis, byBranch);
  // On the branch, but not in the push.
  const before = await lanes.commit('ada');
  await lanes.commit('mallory');
  expect(await lanes.waitsFor(await lanes.push('refs/heads/main', before))).toBe(twoOf('ada, grace, trent'));
});

test('a branch in a following lane needs one approval more if GitHub does not compare its commits', async () => {
  const lanes = await ingestedLanes(redis, byBranch);
  const first = await lanes.commit('grace');
  await lanes.follow(await lanes.verify(await lanes.push('refs/heads/main')));
  await lanes.verify(await lanes.newest('to-prod'));
  // Verified in test; its worker died before it followed to prod, where the next one goes.
  const second = await lanes.commit('ada');
  await lanes.verify(await lanes.push('refs/heads/main', first));
  await lanes.commit('mallory');
  const third = await lanes.verify(await lanes.push('refs/heads/main', second));
  lanes.env.github.interfere(({ path }) => (path.includes('/compare/') ? { status: 502 } : undefined));
  await lanes.follow(third);
  expect(await lanes.waitsFor(await lanes.newest('to-prod'))).toBe(twoOf('ada, grace, trent'));
});

test('at its gate, a promotion asks GitHub again for its authors, but not at once again, and not for what GitHub cannot tell', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  await lanes.verify(await lanes.tag('v1.0.0'));
  await lanes.commit('ada');
  await lanes.env.repository.tag('v1.1.0', 'refs/heads/main');
  lanes.env.github.interfere(({ path, query }) =>
    path.includes('/compare/') && query.has('page') ? { status: 502 } : undefined,
  );
  const promotion = await lanes.push('refs/tags/v1.1.0');
  expect(await lanes.ask(promotion)).toBe(false);
  const asked = lanes.listings();
  lanes.env.github.interfere(undefined);
  expect(await lanes.ask(promotion)).toBe(false);
  expect(lanes.listings()).toBe(asked);
  expect(await lanes.waitsFor(promotion)).toBe(twoOf('ada, grace, trent'));
  // One that GitHub lists in part only.
  await lanes.commit('stranger');
  const next = await lanes.tag('v1.2.0');
  const listed = lanes.listings();
  await lanes.verify(promotion);
  expect(await lanes.ask(next)).toBe(false);
  expect(lanes.listings()).toBe(listed);
});

test('the replay of a promotion that was given up asks for them too, after the lane went back', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  const first = await lanes.tag('v1.0.0');
  await lanes.verify(first);
  await lanes.commit('ada');
  await lanes.verify(await lanes.tag('v1.1.0'));
  await lanes.commit('grace');
  const third = await lanes.tag('v1.2.0');
  await lanes.verify(await lanes.retry(first));
  const replayed = await lanes.replay(third);
  expect(await lanes.ask(replayed)).toBe(true);
  expect(await lanes.waitsFor(replayed)).toBe(oneOf('trent'));
});

test('a retry asks for the authors since the version that is verified now, after the lane went back', async () => {
  const lanes = await ingestedLanes(redis, toTest());
  const first = await lanes.tag('v1.0.0');
  await lanes.verify(first);
  await lanes.commit('ada');
  await lanes.verify(await lanes.tag('v1.1.0'));
  await lanes.commit('grace');
  const third = await lanes.tag('v1.2.0');
  expect(await lanes.waitsFor(third)).toBe(oneOf('ada, trent'));
  // An operator takes the lane back, which ends the third as superseded.
  await lanes.verify(await lanes.retry(first));
  const retried = await lanes.retry(third);
  expect(await lanes.waitsFor(retried)).toBe(twoOf('ada, trent'));
  expect(await lanes.ask(retried)).toBe(true);
  expect(await lanes.waitsFor(retried)).toBe(oneOf('trent'));
});
