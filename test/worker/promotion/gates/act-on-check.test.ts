import { expect, test } from 'vitest';
import { actOnCheck } from '../../../../worker/intake/ingest/act-on-check.ts';
import { approveIdentifier, reduceCheck, rejectIdentifier } from '../../../../worker/records/check-event.ts';
import { testRedis } from '../../../environment/redis.ts';
import { checkRequest, type CheckRequestOptions } from '../../../environment/worker/check-request.ts';
import { repositoryName } from '../../../environment/worker/worker-environment.ts';
import { oneLane, type LaneOptions, type OneLane } from './one-lane.ts';

const redis = testRedis();

interface Clicked extends OneLane {
  readonly promotion: string;
  readonly commit: string;
  /** The promotions whose check runs were shown again. */
  readonly shownAgain: string[];
  click(options?: Partial<CheckRequestOptions>, receivedAt?: number): Promise<string>;
}

/** A promotion of v1.0.0. ada and octocat (who pushed) may write, grace may read only. */
async function clicked(options: LaneOptions = {}): Promise<Clicked> {
  const lane = await oneLane(redis, options);
  const { collaborators } = lane.env.github.repository(repositoryName);
  for (const [id, login, permission] of [
    [11, 'ada', 'write'],
    [12, 'grace', 'read'],
    [1, 'octocat', 'admin'],
    [14, 'mallory', 'write'],
  ] as const)
    collaborators.set(login, { id, login, permission });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  const shownAgain: string[] = [];
  return {
    ...lane,
    promotion,
    commit: task.commit,
    shownAgain,
    click(change = {}, receivedAt = lane.clock.now()) {
      const body = checkRequest({ commit: task.commit, promotion, ...change });
      const event = reduceCheck(body, { delivery: 'd', digest: 'x', receivedAt });
      if ('ignored' in event) throw new Error(event.ignored);
      const { github, ports } = lane;
      const showAgain = async ({ id }: { readonly id: string }) => void shownAgain.push(id);
      return actOnCheck(event, { github, ports, showAgain });
    },
  };
}

const approves = { action: 'requested_action', identifier: approveIdentifier('v1.0.0') } as const;

test('the button of a check run approves its promotion, like a comment of the same person', async () => {
  const lane = await clicked({ gates: { approvals: 1 } });
  expect(await lane.click(approves)).toBe(`approved promotion ${lane.promotion}`);
  expect(await lane.advance(lane.promotion)).toMatchObject({ outcome: 'passed' });
  expect(await lane.ask('ada', 'GET', 'audit')).toMatchObject({
    body: { entries: [{ by: 'ada', via: 'check-run', act: 'approve', promotion: lane.promotion }] },
  });
});

test('the button that rejects ends its promotion, for the version that the check run showed', async () => {
  const lane = await clicked({ gates: { approvals: 1 } });
  const click = async (version: string) =>
    lane.click({ action: 'requested_action', identifier: rejectIdentifier(version) });
  expect(await click('v1.1.0')).toBe(
    'nothing was done: the promotion now has another version than the check run showed',
  );
  expect(await click('v1.0.0')).toBe(`rejected promotion ${lane.promotion}`);
  expect(await lane.advance(lane.promotion)).toMatchObject({
    outcome: 'cancelled',
    rejection: { by: 'ada', via: 'check-run', reason: 'rejected by the button of the check run' },
  });
});

test.each<[string, Partial<CheckRequestOptions>, string]>([
  [
    'anyone who pushed',
    { sender: { id: 1, login: 'octocat' } },
    'nothing was done: a person who pushed or requested a version cannot approve it',
  ],
  [
    'a person who may only read',
    { sender: { id: 12, login: 'grace' } },
    'nothing was done: the person has no write access to the repository',
  ],
  [
    'a writer who is not an approver',
    { sender: { id: 14, login: 'mallory' } },
    'nothing was done: the person is not listed in `approvers` of the repository in worker.yaml',
  ],
  [
    'another who has the login of ada now',
    { sender: { id: 98, login: 'ada' } },
    'nothing was done: GitHub does not know the person as a user of the repository',
  ],
  [
    'ada for a version that the check run did not show',
    { identifier: approveIdentifier('v1.1.0') },
    'nothing was done: the promotion now has another version or another plan than the check run showed',
  ],
  [
    'ada for another commit',
    { commit: 'a'.repeat(40) },
    'nothing was done: the check run belongs to no promotion of this worker',
  ],
  ['ada in another repository', { repository: 78 }, ''],
])('the button does not approve for %s', async (_, change, result) => {
  const lane = await clicked({ gates: { approvals: 1 } });
  const answer = lane.click({ ...approves, ...change });
  if (result === '') await expect(answer).rejects.toMatchObject({ code: 'github-failed' });
  else expect(await answer).toBe(result);
  expect((await lane.ports.store.promotion(lane.promotion))?.approvals).toEqual([]);
});

test.each([
  ['of the check run', {}],
  ['of all check runs', { event: 'check_suite' }],
] as const)(
  'a re-run %s retries the promotion that failed, and shows its own end again',
  async (_, change) => {
    const lane = await clicked({ gates: { approvals: 1 } });
    await lane.ports.store.cancel(lane.promotion, 'ada');
    expect(await lane.advance(lane.promotion)).toMatchObject({ outcome: 'cancelled' });
    const result = await lane.click(change);
    const id = /^retried as promotion (\w+)$/.exec(result)?.[1] ?? result;
    expect(await lane.ports.store.promotion(id)).toMatchObject({
      approvals: [],
      task: { commit: lane.commit, retry: { of: lane.promotion, by: 'ada' } },
    });
    expect(lane.shownAgain).toEqual([lane.promotion]);
    expect(await lane.ask('ada', 'GET', 'audit')).toMatchObject({
      body: { entries: [{ by: 'ada', via: 'check-run', act: 'retry' }, { act: 'cancel' }] },
    });
  },
);

test('a re-run does not go back behind a newer promotion, and comes to nothing for others or late', async () => {
  const lane = await clicked({ gates: { approvals: 1 } });
  await lane.ports.store.cancel(lane.promotion, 'ada');
  await lane.advance(lane.promotion);
  const grace = { id: 12, login: 'grace' };
  expect(await lane.click({ sender: grace })).toBe(
    'nothing was done: the person has no write access to the repository',
  );
  expect(await lane.click({}, lane.clock.now() - 3_600_001)).toMatch(
    /^nothing was done: the request arrived late/,
  );
  const newer = await lane.push('v1.1.0');
  expect(await lane.click()).toBe(`nothing was done: the lane has accepted a newer promotion, ${newer}`);
  // GitHub has cleared the conclusion each time.
  expect(lane.shownAgain).toEqual([lane.promotion, lane.promotion, lane.promotion]);
});

test('a re-run comes to nothing if the lane accepts a newer promotion at that moment', async () => {
  const lane = await clicked({ gates: { approvals: 1 } });
  await lane.ports.store.cancel(lane.promotion, 'ada');
  await lane.advance(lane.promotion);
  const { store } = lane.ports;
  const read = store.lane.bind(store);
  store.lane = async (id) => {
    const before = await read(id);
    store.lane = read;
    await lane.push('v1.1.0');
    return before;
  };
  expect(await lane.click()).toBe(
    'nothing was done: the lane changed at the same time; click "Re-run" again',
  );
  expect((await read(lane.lane))?.lastPromotion).toBe('promotion-v1.1.0');
});

test('a re-run does not repeat what an operator requested', async () => {
  const lane = await clicked();
  const request = { by: 'root', via: 'api', reason: 'back to the version before' } as const;
  const promotion = await lane.push('v1.1.0', { request });
  expect(await lane.advance(promotion)).toMatchObject({ state: 'finished' });
  const { task } = (await lane.ports.store.promotion(promotion)) ?? {};
  expect(await lane.click({ promotion, commit: task?.commit ?? '' })).toMatch(
    /^nothing was done: an operator requested/,
  );
});

test('a re-run of all check runs leaves promotions alone that have passed', async () => {
  const lane = await clicked();
  expect((await lane.ports.store.promotion(lane.promotion))?.outcome).toBe('passed');
  expect(await lane.click({ event: 'check_suite' })).toBe(
    'nothing was done: the check run belongs to no promotion of this worker',
  );
});

test.each<[string, Partial<CheckRequestOptions>, RegExp]>([
  ['a check run that was created', { action: 'created' }, /asks for no approval/],
  ['a check suite that was requested', { event: 'check_suite', action: 'requested' }, /asks for no approval/],
  ['a button that a program pressed', { ...approves, type: 'Bot' }, /a bot/],
  ['a button without a name', { action: 'requested_action' }, /asks for no approval/],
  ['a check run of another program', { commit: 'main' }, /does not describe a check run/],
])('%s is ignored', (_, change, reason) => {
  const body = checkRequest({ commit: 'a'.repeat(40), promotion: 'p', ...change });
  const event = reduceCheck(body, { delivery: 'd', digest: 'x', receivedAt: 0 });
  expect(event).toMatchObject({ ignored: expect.stringMatching(reason) });
});

test('a check run of a SHA-256 repository has a commit of 64 digits', () => {
  const body = checkRequest({ commit: 'a'.repeat(64), promotion: 'p' });
  const facts = { delivery: 'd', digest: 'd', receivedAt: 0 };
  expect(reduceCheck(body, facts)).toMatchObject({ request: { commit: 'a'.repeat(64) } });
});
