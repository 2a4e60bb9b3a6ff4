import { expect, test } from 'vitest';
import { advancePromotion } from '../../../worker/promotion/advance-promotion.ts';
import { testRedis } from '../../environment/redis.ts';
import { projectId } from '../../environment/worker/worker-environment.ts';
import { oneLane, type LaneOptions, type OneLane } from './gates/one-lane.ts';

const redis = testRedis();

/** Two versions, live one after the other. */
async function twoVersions(options: LaneOptions = {}): Promise<OneLane> {
  const lane = await oneLane(redis, options);
  for (const version of ['v1.0.0', 'v1.1.0']) {
    const promotion = await lane.push(version);
    await lane.advance(promotion);
    if (options.gates?.approvals === 1) {
      await lane.approve('ada', promotion);
      await lane.advance(promotion);
    }
  }
  expect((await lane.ports.store.lane(lane.lane))?.verified?.version).toBe('v1.1.0');
  return lane;
}

const request = (lane: OneLane, version: string, as = 'root') =>
  lane.ask(as, 'POST', `lanes/${encodeURIComponent(lane.lane)}/promote`, { version, reason: 'bad figures' });

/** Requests a version; gives the promotion's id. */
async function requested(lane: OneLane, version: string): Promise<string> {
  const { status, body } = await request(lane, version);
  expect([status, body]).toMatchObject([202, { version }]);
  return (body as { promotion: string }).promotion;
}

test('an operator promotes an older version, which is then live and verified, and forward again', async () => {
  const lane = await twoVersions();
  const back = await requested(lane, 'v1.0.0');
  expect(await lane.advance(back)).toMatchObject({ outcome: 'passed', message: 'v1.0.0 is in test' });
  expect(await lane.env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
  expect((await lane.ports.store.lane(lane.lane))?.verified?.version).toBe('v1.0.0');
  const history = await lane.ports.store.history({ promotion: back });
  expect(history.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['resolved', 'intend-disable', 'made-live']),
  );
  expect(await lane.ask('root', 'GET', 'audit')).toMatchObject({
    body: { entries: [{ by: 'root', act: 'promote', data: expect.stringContaining('bad figures') }] },
  });
  // What was disabled by this promotion was not disabled outside Millrace.
  const forward = await requested(lane, 'v1.1.0');
  expect(await lane.advance(forward)).toMatchObject({ outcome: 'passed' });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
  const next = await lane.push('v1.2.0');
  expect(await lane.advance(next)).toMatchObject({ outcome: 'passed' });
  expect((await lane.ports.store.lane(lane.lane))?.holds).toEqual([]);
});

test('a version that is not in the target yet is promoted, and newer versions stay', async () => {
  const lane = await twoVersions();
  const { task } = (await lane.ports.store.promotion('promotion-v1.1.0')) ?? expect.unreachable();
  await lane.env.publish('v1.0.1', task.commit);
  const promotion = await requested(lane, 'v1.0.1');
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed', task: { commit: task.commit } });
  expect(await lane.env.versions('test')).toEqual(['v1.0.1', 'v1.1.0', 'v1.0.0']);
});

test('the request passes the gates: it waits for approvals, and not by the person who requested it', async () => {
  const lane = await twoVersions({ gates: { approvals: 1 } });
  const seen = await lane.ask(
    { name: 'ada', role: 'admin', repositories: 'all' },
    'POST',
    `lanes/${encodeURIComponent(lane.lane)}/promote`,
    {
      version: 'v1.0.0',
      reason: 'bad figures',
    },
  );
  const { promotion } = seen.body as { promotion: string };
  expect((await lane.advance(promotion)).report.text).toBe('Waiting for 1 approval (grace may approve)');
  expect(await lane.approve('ada', promotion)).toMatchObject({ status: 409 });
  expect(await lane.approve('grace', promotion)).toMatchObject({ status: 200 });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  // Disabled by now: a request may be approved all the same, because it enables the version.
  const forward = await requested(lane, 'v1.1.0');
  await lane.advance(forward);
  expect(await lane.approve('grace', forward)).toMatchObject({ status: 200 });
  expect(await lane.advance(forward)).toMatchObject({ outcome: 'passed' });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
});

test('on a held lane the request waits, and nothing is disabled', async () => {
  const lane = await twoVersions();
  await lane.ask('ada', 'POST', `lanes/${encodeURIComponent(lane.lane)}/hold`, { reason: 'month end' });
  const promotion = await requested(lane, 'v1.0.0');
  expect(await lane.advance(promotion)).toMatchObject({ state: 'queued' });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
  await lane.release('ada');
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('a worker killed after it disabled the newer version leaves the record of it to the next worker', async () => {
  const lane = await twoVersions();
  const { ports } = lane;
  const back = await requested(lane, 'v1.0.0');
  const killed = {
    ...ports,
    store: {
      ...ports.store,
      rolledBack: async () => {
        throw new Error('killed');
      },
    },
  };
  await expect(advancePromotion(back, killed, new AbortController().signal)).rejects.toThrow('killed');
  expect(await lane.env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
  expect(await lane.advance(back)).toMatchObject({ outcome: 'passed' });
  expect((await ports.store.promotion('promotion-v1.1.0'))?.rolledBack).toBeDefined();
});

test('the cancel of a request ends it on a held lane, and says what the request had changed before', async () => {
  const lane = await twoVersions();
  await lane.advance(await lane.push('v1.2.0'));
  const back = await requested(lane, 'v1.0.0');
  lane.env.wire.interfere(async ({ method }) => {
    const hold = { cause: 'manual', by: 'ada', reason: 'month end', since: lane.clock.now() } as const;
    if (method !== 'GET') await lane.ports.store.hold(lane.lane, hold);
    return undefined;
  });
  expect((await lane.advance(back)).report.text).toBe('Waiting: the lane is on hold');
  lane.env.wire.interfere(undefined);
  expect(await lane.env.versions('test')).toEqual(['v1.2.0', '!v1.1.0', 'v1.0.0']);
  await lane.ask('root', 'POST', `promotions/${back}/cancel`);
  expect(await lane.advance(back)).toMatchObject({
    outcome: 'cancelled',
    message: 'cancelled by root; before that it sent: disable v1.1.0 in test',
  });
});

test('a request that is repeated while it is open returns the same promotion', async () => {
  const lane = await twoVersions();
  const first = await requested(lane, 'v1.0.0');
  expect(await requested(lane, 'v1.0.0')).toBe(first);
});

test('a request that is sent twice at the same time makes one promotion, and both answers name it', async () => {
  const lane = await twoVersions();
  const [first, second] = await Promise.all([requested(lane, 'v1.0.0'), requested(lane, 'v1.0.0')]);
  expect(second).toBe(first);
});

test('only an admin retries a request, and cannot approve it then', async () => {
  const lane = await twoVersions({ gates: { approvals: 1 } });
  const first = await requested(lane, 'v1.0.0');
  await lane.advance(first);
  await lane.ask('root', 'POST', `promotions/${first}/cancel`);
  expect(await lane.advance(first)).toMatchObject({ outcome: 'cancelled' });
  expect(await lane.ask('ada', 'POST', `promotions/${first}/retry`)).toMatchObject({
    status: 403,
    body: {
      error: 'a person requested this promotion, so retrying this one needs the role admin, which ada lacks',
    },
  });
  const grace = { name: 'grace', role: 'admin', repositories: 'all' } as const;
  const retry = await lane.ask(grace, 'POST', `promotions/${first}/retry`);
  const { promotion } = retry.body as { promotion: string };
  expect((await lane.advance(promotion)).report.text).toBe('Waiting for 1 approval (ada may approve)');
  expect(await lane.approve('grace', promotion)).toMatchObject({ status: 409 });
});

test('only an admin retries a promotion that is not the newest of its lane', async () => {
  const lane = await twoVersions();
  expect(await lane.ask('ada', 'POST', 'promotions/promotion-v1.0.0/retry')).toMatchObject({
    status: 403,
    body: {
      error: expect.stringContaining('a newer promotion, promotion-v1.1.0, so retrying this one needs'),
    },
  });
  expect((await lane.ports.store.lane(lane.lane))?.lastPromotion).toBe('promotion-v1.1.0');
  expect(await lane.ask('ada', 'POST', 'promotions/promotion-v1.1.0/retry')).toMatchObject({ status: 202 });
  expect(await lane.ask('root', 'POST', 'promotions/promotion-v1.0.0/retry')).toMatchObject({ status: 202 });
});

test('an impossible request is refused with the reason', async () => {
  const lane = await twoVersions();
  expect(await request(lane, 'v1.0.0', 'ada')).toMatchObject({ status: 403 });
  expect(await request(lane, '')).toMatchObject({ status: 400 });
  expect(await request(lane, 'v9.0.0')).toMatchObject({
    status: 409,
    body: { error: 'v9.0.0 is not in dev; did you mean "v1.0.0"?' },
  });
  const disabled = { projectId, environmentName: 'dev', versionName: 'v1.0.0', enabled: false };
  await lane.env.client.artifacts.setEnabled(disabled);
  expect(await request(lane, 'v1.0.0')).toMatchObject({
    status: 409,
    body: { error: 'v1.0.0 is disabled in dev' },
  });
});

test('a version that the lane leaves out is refused with the rule, unless the operator overrides it', async () => {
  const versions = { order: 'auto', allow: '<1.2', prereleases: false } as const;
  const lane = await twoVersions({ lane: { versions } });
  const { task } = (await lane.ports.store.promotion('promotion-v1.1.0')) ?? expect.unreachable();
  for (const version of ['v1.2.0', 'v1.1.1-rc.1']) await lane.env.publish(version, task.commit);
  expect(await request(lane, 'v1.2.0')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('(`versions.allow`)') },
  });
  expect(await request(lane, 'v1.1.1-rc.1')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('(`versions.prereleases`)') },
  });
  const path = `lanes/${encodeURIComponent(lane.lane)}/promote`;
  const body = { version: 'v1.2.0', reason: 'the fix', anyVersion: true };
  expect(await lane.ask('ada', 'POST', path, body)).toMatchObject({ status: 403 });
  const { promotion } = (await lane.ask('root', 'POST', path, body)).body as { promotion: string };
  const overrides = expect.stringContaining('(`versions.allow`)');
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'passed',
    task: { request: { overrides } },
  });
  expect(await lane.ask('root', 'GET', 'audit')).toMatchObject({
    body: { entries: [{ act: 'promote', data: expect.stringContaining('versions.allow') }] },
  });
});

test('a request passes the lane of the newest push, although an operator retried an older promotion', async () => {
  const lane = await oneLane(redis);
  const first = await lane.push('v1.0.0');
  await lane.advance(first);
  const { task } = await lane.advance(first);
  const onFailure = 'rollback' as const;
  await lane.advance(await lane.push('v1.1.0', { lane: { ...task.lane, onFailure } }));
  const { body } = await lane.ask('root', 'POST', `promotions/${first}/retry`);
  await lane.advance((body as { promotion: string }).promotion);
  const promotion = await requested(lane, 'v1.0.0');
  expect(await lane.advance(promotion)).toMatchObject({ task: { lane: { onFailure } } });
});

test('a requested version from a commit on no allowed branch is refused', async () => {
  const lane = await twoVersions();
  const commit = await lane.env.repository.commit('feature', { 'notes.txt': 'x' }, { from: 'main' });
  await lane.env.publish('v2.0.0', commit);
  const promotion = await requested(lane, 'v2.0.0');
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('which is on no allowed branch'),
  });
});

test('an operator sees which versions they can promote or go back to, and what becomes live', async () => {
  const lane = await twoVersions();
  const { task } = (await lane.ports.store.promotion('promotion-v1.1.0')) ?? expect.unreachable();
  await lane.env.publish('v1.2.0', task.commit);
  const see = (query: string) => lane.ask('root', 'GET', `lanes/${encodeURIComponent(lane.lane)}/${query}`);
  const entered = { since: expect.stringMatching(/Z$/), commit: expect.stringMatching(/^[\da-f]{40}$/) };
  const older = { ...entered, version: 'v1.0.0', isLive: false, isVerified: true, denial: null };
  expect(await see('promote?version=v1.0.0')).toMatchObject({
    status: 200,
    body: {
      live: 'v1.1.0',
      versions: [
        { version: 'v1.2.0', isVerified: false, promotes: true, enables: false, disables: [] },
        { version: 'v1.1.0', isLive: true, isVerified: true },
        { ...older, promotes: false, enables: false, disables: ['v1.1.0'] },
      ],
      would: { live: 'v1.0.0', disables: ['v1.1.0'] },
    },
  });
  expect(await see('promote')).toMatchObject({ status: 200, body: { would: null, problem: null } });
  expect(await see('promote?version=v9')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('v9 is not in dev') },
  });
  expect(await see('roll-back')).toMatchObject({
    status: 200,
    body: { versions: [older], would: { live: 'v1.0.0', disables: ['v1.1.0'] }, problem: null },
  });
  expect(await see('roll-back?to=v1.1.0')).toMatchObject({
    status: 409,
    body: { error: 'Version v1.1.0 is already live in test' },
  });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
});

test('an operator rolls back to a version that they chose: those between are disabled and reported too', async () => {
  const lane = await twoVersions();
  await lane.advance(await lane.push('v1.2.0'));
  const roll = (to: string) =>
    lane.ask('root', 'POST', `lanes/${encodeURIComponent(lane.lane)}/roll-back`, { reason: 'bad', to });
  expect(await roll('')).toMatchObject({ status: 400 });
  expect(await roll('v1.0.0')).toMatchObject({
    status: 200,
    body: { disabled: 'v1.2.0', alsoDisabled: ['v1.1.0'], live: 'v1.0.0' },
  });
  expect(await lane.env.versions('test')).toEqual(['!v1.2.0', '!v1.1.0', 'v1.0.0']);
  for (const version of ['v1.1.0', 'v1.2.0'])
    expect((await lane.ports.store.promotion(`promotion-${version}`))?.rolledBack).toMatchObject({
      disabled: version,
      live: 'v1.0.0',
    });
  expect(await lane.ports.store.lane(lane.lane)).toMatchObject({
    takenOut: 'v1.2.0',
    verifiedTakenOut: 'v1.2.0',
    holds: [{ cause: 'rolled-back' }],
  });
});
