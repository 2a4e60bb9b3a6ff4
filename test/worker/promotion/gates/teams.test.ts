import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import type { Operator } from '../../../../worker/operators/operator.ts';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import { repositoryName, workerFile } from '../../../environment/worker/worker-environment.ts';
import { testRedis } from '../../../environment/redis.ts';
import { approvers, oneLane, type OneLane, person } from './one-lane.ts';

const redis = testRedis();
const operator = (name: string, github: string, hash: string): string =>
  `{ name: ${name}, github: ${github}, role: approver, repositories: all, token-hash: "sha256:${hash.repeat(64)}" }`;
const operators = `operators: [${operator('linus', 'linus-t', 'a')}, ${operator('grace', 'grace', 'b')}]\n`;
const policy = approvers.replace('[ada, grace, octocat]', '[ada, "@example/platform"]');

async function teamLane(): Promise<{ lane: OneLane; promotion: string }> {
  const lane = await oneLane(redis, {
    gates: { approvals: 1 },
    policy: `${policy}${operators}`,
  });
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  return { lane, promotion };
}

const addMember = ({ env }: OneLane, login: string, state: 'active' | 'pending' = 'active') =>
  env.github.repository(repositoryName).memberships.set(`platform/${login}`, state);

test('a member of a team may approve, by the GitHub login of the operator', async () => {
  const { lane, promotion } = await teamLane();
  expect((await lane.advance(promotion)).report.text).toBe(
    'Waiting for 1 approval (ada, @example/platform may approve)',
  );
  expect(await lane.approve('linus', promotion)).toMatchObject({ status: 403 });
  addMember(lane, 'linus-t');
  expect(await lane.approve('linus', promotion)).toMatchObject({
    status: 200,
    body: { approvals: { needed: 1, given: ['linus'] } },
  });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('an invitation to a team that was not accepted grants nothing', async () => {
  const { lane, promotion } = await teamLane();
  addMember(lane, 'linus-t', 'pending');
  expect(await lane.approve('linus', promotion)).toMatchObject({ status: 403 });
});

test('a member who pushed the version cannot approve it', async () => {
  const { lane } = await teamLane();
  addMember(lane, 'linus-t');
  const own = await lane.push('v1.1.0', { pusher: { login: 'linus-t', id: 7 } });
  await lane.advance(own);
  expect(await lane.approve('linus', own)).toMatchObject({
    status: 409,
    body: { error: 'a person who pushed or requested a version cannot approve it' },
  });
});

test('who signed in with GitHub approves by login, counts as the operator of that login, and not as the pusher', async () => {
  const { lane, promotion } = await teamLane();
  addMember(lane, 'linus-t');
  const github = { id: 7, login: 'linus-t' };
  const linus = { name: 'linus-t', role: 'approver', repositories: 'all', github } as const;
  const approve = async (id: string) => {
    const { task, version } = await lane.advance(id);
    return lane.ask(linus, 'POST', `promotions/${id}/approve`, { commit: task.commit, version });
  };
  expect(await approve(promotion)).toMatchObject({
    status: 200,
    body: { approvals: { given: ['linus-t'] } },
  });
  const { approvals } = (await lane.ports.store.promotion(promotion)) ?? expect.unreachable();
  expect(approvals).toMatchObject([{ person: 'linus', by: 'linus-t', via: 'github' }]);
  // By id, although the login was another one then.
  const own = await lane.push('v1.1.0', { pusher: { login: 'renamed-since', id: 7 } });
  expect(await approve(own)).toMatchObject({
    body: { error: 'a person who pushed or requested a version cannot approve it' },
  });
});

/** A member of the team who signed in with GitHub approves what the promotion is about. */
async function approveById({ lane, id }: { readonly lane: OneLane; readonly id: string }) {
  addMember(lane, 'linus-t');
  const github = { id: 7, login: 'linus-t' };
  const linus = { name: 'linus-t', role: 'approver', repositories: 'all', github } as const;
  const { task, version } = await lane.advance(id);
  return lane.ask(linus, 'POST', `promotions/${id}/approve`, { commit: task.commit, version });
}

test('an author of an earlier version that never passed is recognized by id in the next one', async () => {
  const lane = await oneLane(redis, {
    gates: { approvals: 1, authorsMayApprove: false },
    policy: `${policy}${operators}`,
  });
  const old = { authors: ['renamed-since'], authorIds: { 'renamed-since': 7 } };
  await lane.push('v1.0.0', old);
  const id = await lane.push('v1.1.0', { authors: ['mallory'] });
  expect(await approveById({ lane, id })).toMatchObject({
    status: 409,
    body: { error: 'a person who wrote a commit of a version cannot approve it' },
  });
});

test('who requested a version is recognized by id when they approve with another login', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 }, policy: `${policy}${operators}` });
  const pushed = await lane.push('v1.0.0');
  await lane.advance(pushed);
  await lane.approve('ada', pushed);
  const { task } = await lane.advance(pushed);
  await lane.env.publish('v1.0.1', task.commit);
  const path = `lanes/${encodeURIComponent(lane.lane)}/promote`;
  const before: Operator = { ...person('renamed-since', 'admin'), github: { id: 7, login: 'renamed-since' } };
  const { body } = await lane.ask(before, 'POST', path, { version: 'v1.0.1', reason: 'x' });
  const { promotion: id } = body as { promotion: string };
  expect(await approveById({ lane, id })).toMatchObject({
    status: 409,
    body: { error: 'a person who pushed or requested a version cannot approve it' },
  });
});

test('an approval no longer counts once its person is known by id as an author', async () => {
  const lane = await oneLane(redis, {
    gates: { approvals: 1, authorsMayApprove: false },
    policy: `${policy}${operators}`,
  });
  const id = await lane.push('v1.0.0', { authors: ['mallory'] });
  expect(await approveById({ lane, id })).toMatchObject({ status: 200 });
  const { task } = (await lane.ports.store.promotion(id)) ?? expect.unreachable();
  await lane.ports.store.learnPusher(lane.lane, {
    ref: task.ref,
    commit: task.commit,
    pusher: undefined,
    authors: ['renamed-since'],
    authorIds: { 'renamed-since': 7 },
  });
  expect((await lane.advance(id)).report.text).toContain('Waiting for 1 approval');
  expect(lane.promotions()).toBe(0);
});

test('while GitHub does not list the members of the team, an approval is refused with the reason', async () => {
  const { lane, promotion } = await teamLane();
  addMember(lane, 'linus-t');
  lane.env.github.interfere(({ path }) =>
    path.includes('/memberships/') ? { status: 502, body: {} } : undefined,
  );
  const refused = await lane.approve('linus', promotion);
  expect(refused).toMatchObject({ status: 409 });
  expect(JSON.stringify(refused)).toContain('does not say now who is in the approvers’ teams');
});

test('an approval no longer counts once worker.yaml does not name the team', async () => {
  const { lane, promotion } = await teamLane();
  addMember(lane, 'linus-t');
  await lane.approve('linus', promotion);
  const config = readWorkerConfig(workerFile(`${approvers}${operators}`), 'worker.yaml');
  await advancePromotion(promotion, { ...lane.ports, config }, new AbortController().signal);
  expect(lane.promotions()).toBe(0);
});
