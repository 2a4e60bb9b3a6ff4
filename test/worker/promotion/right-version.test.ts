import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import { projectId } from '../../environment/worker/worker-environment.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { targetDigest } from '../../../worker/store/live/live-target.ts';
import type { PromotionRecord } from '../../../worker/records/promotion-record.ts';
import { oneLane, type OneLane } from './gates/one-lane.ts';

const redis = testRedis();
const verifies = {
  verify: [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }],
  onFailure: 'rollback',
} as const;

/** Advances a promotion to its end. */
async function ended(lane: OneLane, promotion: string): Promise<PromotionRecord> {
  await expect.poll(async () => (await lane.advance(promotion)).state).toBe('finished');
  return lane.advance(promotion);
}

/** The platform refuses to start the verification of this version, which counts as failed. */
function refuseStartOf(lane: OneLane, version: string): void {
  lane.env.wire.interfere(({ method, path, body }) =>
    method === 'POST' && path.endsWith('/pipeline-executions') && body.includes(version)
      ? 'forget'
      : undefined,
  );
}

/** A version that was promoted and then cancelled before its verification. */
async function promotedAndCancelled(lane: OneLane, version: string): Promise<void> {
  const promotion = await lane.push(version);
  lane.env.wire.interfere(async ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/promotions')) await lane.ports.store.cancel(promotion, 'ada');
    return undefined;
  });
  expect(await ended(lane, promotion)).toMatchObject({ outcome: 'cancelled' });
  lane.env.wire.interfere(undefined);
}

async function promoteByHand(lane: OneLane, version: string): Promise<void> {
  await lane.env.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: version,
  });
}

async function disableByHand(lane: OneLane, version: string): Promise<void> {
  const what = { projectId, environmentName: 'test', versionName: version, enabled: false };
  await lane.env.client.artifacts.setEnabled(what);
}

const path = (lane: OneLane, act: string): string => `lanes/${encodeURIComponent(lane.lane)}/${act}`;

test('a retry of an older promotion ends with the version that is live, and verifies nothing', async () => {
  const lane = await oneLane(redis);
  const first = await lane.push('v1.0.0');
  await lane.advance(first);
  await lane.advance(await lane.push('v1.1.0'));
  const retry = await lane.ask('root', 'POST', `promotions/${first}/retry`);
  const { promotion } = retry.body as { promotion: string };
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'nothing-to-do',
    message: 'v1.0.0 is in test but is not live, because v1.1.0 is live there',
    report: { state: 'error' },
  });
  expect((await lane.ports.store.lane(lane.lane))?.verified?.version).toBe('v1.1.0');
});

test('a push back to an older commit does not count its version as live', async () => {
  const lane = await oneLane(redis);
  const first = await lane.push('v1.0.0');
  const { task } = await lane.advance(first);
  await lane.advance(await lane.push('v1.1.0'));
  await lane.env.repository.tag('back', task.commit);
  const { ports } = lane;
  const back = { ...task, ref: 'refs/heads/main', version: { kind: 'commit' } } as const;
  await ports.store.accept({
    promotionId: 'back',
    order: 'differs',
    head: { field: 'refs/heads/main', value: task.commit },
    task: back,
  });
  expect(await lane.advance('back')).toMatchObject({ outcome: 'nothing-to-do', version: 'v1.0.0' });
  expect((await ports.store.lane(lane.lane))?.verified?.version).toBe('v1.1.0');
});

test('a version does not take the place of a newer one that was promoted by hand while it waited for approval', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.1.0');
  expect(await lane.advance(promotion)).toMatchObject({ state: 'active', step: { name: 'promote' } });
  await lane.env.publish('v1.2.0', 'a'.repeat(40));
  await promoteByHand(lane, 'v1.2.0');
  expect(await lane.approve('ada', promotion)).toMatchObject({ status: 200 });
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'superseded',
    message:
      'Superseded by v1.2.0, which is newer and live; only an operator can take test back to an older version',
  });
  expect(await lane.env.versions('test')).toEqual(['v1.2.0']);
});

test.each([
  ['another one was promoted', 'v9.9.9', (lane: OneLane) => promoteByHand(lane, 'v9.9.9')],
  ['it was disabled', 'v1.0.0', (lane: OneLane) => disableByHand(lane, 'v1.1.0')],
])('a version does not count as verified if %s during its verification', async (_, live, change) => {
  const lane = await oneLane(redis, { lane: verifies });
  await ended(lane, await lane.push('v1.0.0'));
  await lane.env.publish('v9.9.9', 'a'.repeat(40));
  const promotion = await lane.push('v1.1.0');
  await expect.poll(async () => (await lane.advance(promotion)).step.name).toBe('watch');
  await change(lane);
  expect(await ended(lane, promotion)).toMatchObject({
    outcome: 'nothing-to-do',
    message: `v1.1.0 was verified in test but is not live: ${live} is live there`,
    report: { state: 'error' },
  });
  expect((await lane.ports.store.lane(lane.lane))?.verified?.version).toBe('v1.0.0');
  const target = { project: projectId, environment: 'test' };
  expect(await lane.ports.store.verifiedVersions(target, lane.lane)).toEqual(new Set(['v1.0.0']));
});

test('while the live version cannot be read after the verification, the execution is not polled again', async () => {
  const lane = await oneLane(redis, { lane: verifies });
  const promotion = await lane.push('v1.0.0');
  await expect.poll(async () => (await lane.advance(promotion)).step.name).toBe('watch');
  lane.env.wire.interfere(({ method, path: at }) =>
    method === 'GET' && at.includes('/artifacts/') ? 'lose' : undefined,
  );
  await expect
    .poll(async () => (await lane.advance(promotion)).step)
    .toMatchObject({ name: 'watch', hasSucceeded: true });
  const polls = (): number =>
    lane.env.wire.calls.filter(
      ({ method, path: at }) => method === 'GET' && at.includes('/pipeline-executions/'),
    ).length;
  const before = polls();
  await lane.advance(promotion);
  lane.env.wire.interfere(undefined);
  expect(await ended(lane, promotion)).toMatchObject({ outcome: 'passed' });
  expect(polls()).toBe(before);
});

test('a roll-back passes a version that was promoted and then cancelled', async () => {
  const lane = await oneLane(redis, { lane: verifies });
  expect(await ended(lane, await lane.push('v1.0.0'))).toMatchObject({ outcome: 'passed' });
  await promotedAndCancelled(lane, 'v1.1.0');
  refuseStartOf(lane, 'v1.2.0');
  expect(await ended(lane, await lane.push('v1.2.0'))).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('rolled back to v1.0.0'),
  });
  expect(await lane.env.versions('test')).toEqual(['!v1.2.0', '!v1.1.0', 'v1.0.0']);
  // A version between the two may come next: what was taken out is not what the lane has.
  expect(await lane.ports.store.lane(lane.lane)).toMatchObject({ holds: [], takenOut: 'v1.2.0' });
});

test('without a verified version to go back to, nothing is disabled and the lane is held', async () => {
  const lane = await oneLane(redis, { lane: verifies });
  await promotedAndCancelled(lane, 'v1.0.0');
  refuseStartOf(lane, 'v1.1.0');
  expect(await ended(lane, await lane.push('v1.1.0'))).toMatchObject({ outcome: 'failed' });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
  expect((await lane.ports.store.lane(lane.lane))?.holds).toMatchObject([
    { cause: 'failed', reason: expect.stringContaining('no earlier version that was verified in test') },
  ]);
});

test('a version whose later verification failed is no longer one to go back to', async () => {
  const lane = await oneLane(redis, { lane: { ...verifies, onFailure: 'hold' } });
  const first = await lane.push('v1.0.0');
  await ended(lane, first);
  refuseStartOf(lane, 'v1.0.0');
  const retry = await lane.ask('root', 'POST', `promotions/${first}/retry`);
  expect(await ended(lane, (retry.body as { promotion: string }).promotion)).toMatchObject({
    outcome: 'failed',
  });
  const target = { project: projectId, environment: 'test' };
  expect(await lane.ports.store.verifiedVersions(target, lane.lane)).toEqual(new Set());
});

test('a version that an older worker verified is one to go back to, also after newer ones', async () => {
  const lane = await oneLane(redis, { lane: verifies });
  await ended(lane, await lane.push('v1.0.0'));
  // Older workers kept only the lane's last one.
  const connection = redis.connect();
  const target = targetDigest({ project: projectId, environment: 'test' });
  expect(await connection.del(keysUnder(lane.env.prefix).verified(target))).toBe(1);
  refuseStartOf(lane, 'v1.1.0');
  expect(await ended(lane, await lane.push('v1.1.0'))).toMatchObject({
    message: expect.stringContaining('rolled back to v1.0.0'),
  });
  refuseStartOf(lane, 'v1.3.0');
  await ended(lane, await lane.push('v1.2.0'));
  expect(await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'bad figures' })).toMatchObject({
    status: 200,
    body: { disabled: 'v1.2.0', live: 'v1.0.0' },
  });
});

test('an operator’s roll-back is sent, although a promotion left its rate limit token unused', async () => {
  const lane = await oneLane(redis);
  for (const version of ['v1.0.0', 'v1.1.0']) await lane.advance(await lane.push(version));
  await lane.ports.platformFor('platform').rateLimiter.acquire();
  await lane.clock.advance(5_000);
  expect(await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'bad figures' })).toMatchObject({
    status: 200,
    body: { live: 'v1.0.0' },
  });
});

test('an operator’s roll-back goes to the newest verified version, or holds the lane with the reason', async () => {
  const lane = await oneLane(redis, { lane: verifies });
  await ended(lane, await lane.push('v1.0.0'));
  await promotedAndCancelled(lane, 'v1.1.0');
  await lane.env.publish('v1.2.0', 'a'.repeat(40));
  await promoteByHand(lane, 'v1.2.0');
  const rollBack = (version: string) =>
    lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'bad figures', version });
  expect(await rollBack('v1.2.0')).toMatchObject({
    status: 200,
    body: { disabled: 'v1.2.0', alsoDisabled: ['v1.1.0'], live: 'v1.0.0' },
  });
  expect(await lane.env.versions('test')).toEqual(['!v1.2.0', '!v1.1.0', 'v1.0.0']);
  await lane.env.publish('v1.3.0', 'a'.repeat(40));
  await promoteByHand(lane, 'v1.3.0');
  const taken = { projectId, environmentName: 'test', versionName: 'v1.0.0', enabled: false };
  await lane.env.client.artifacts.setEnabled(taken);
  await lane.env.client.artifacts.setEnabled({ ...taken, versionName: 'v1.1.0', enabled: true });
  expect(await rollBack('v1.3.0')).toMatchObject({
    status: 409,
    body: {
      error: expect.stringContaining(
        'v1.3.0 cannot be rolled back: no earlier enabled version in test was verified there.',
      ),
    },
  });
  expect(await lane.env.versions('test')).toEqual(['v1.3.0', '!v1.2.0', 'v1.1.0', '!v1.0.0']);
  expect((await lane.ports.store.lane(lane.lane))?.holds).not.toEqual([]);
});
