import { expect, test } from 'vitest';
import { compareLanes } from '../../../../worker/intake/state/compare-lanes.ts';
import type { PromotionLane } from '../../../../worker/records/promotion-task.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { testRedis } from '../../../environment/redis.ts';
import { projectId, repositoryName } from '../../../environment/worker/worker-environment.ts';
import { release } from '../../../environment/worker/lanes-at-work.ts';
import { oneLane, type OneLane } from '../../promotion/gates/one-lane.ts';

const redis = testRedis();

const verify = [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }];

/** The lane after Redis was restarted: nothing of it is compared yet. */
async function restarted({ env, lane }: OneLane): Promise<void> {
  const keys = keysUnder(env.prefix);
  const connection = redis.connect();
  await connection.hset(keys.epoch, 'run', 'another');
  await connection.sadd(keys.unchecked, lane);
}

async function compared(lane: OneLane): Promise<readonly string[]> {
  await restarted(lane);
  expect(await compareLanes(lane.ports, lane.github)).toBe(0);
  return ((await lane.ports.store.lane(lane.lane))?.holds ?? []).map(
    ({ cause, reason }) => `${cause} ${reason}`,
  );
}

/** Millrace did it, in records that are gone: then the records look as if a person had done it. */
async function promoteByHand({ env }: OneLane, versionName: string): Promise<void> {
  const environments = { sourceEnvironmentName: 'dev', targetEnvironmentName: 'test' };
  await env.client.artifacts.promote({ projectId, ...environments, versionName });
}

/** What the live poller keeps. */
async function keepLive({ ports, lane }: OneLane, version: string): Promise<void> {
  const target = { project: projectId, environment: 'test' };
  await ports.live.changed(target);
  const number = await ports.live.claim(target, 1_000);
  if (number === undefined) throw new Error('the environment is not due');
  await ports.live.keep(target, number, {
    version,
    commit: '',
    nextMs: 60_000,
    before: undefined,
    lanes: [lane],
  });
}

test('a lane that has promoted nothing, or that knows what is live, is not held', async () => {
  const lane = await oneLane(redis);
  const first = await lane.push('v1.0.0');
  expect(await compared(lane)).toEqual([]);
  await lane.advance(first);
  await keepLive(lane, 'v1.0.0');
  expect(await compared(lane)).toEqual([]);
  // Promoted, and not polled since.
  await lane.advance(await lane.push('v1.1.0'));
  expect(await compared(lane)).toEqual([]);
});

test('a lane is held if a version is live that its records do not know there', async () => {
  const lane = await oneLane(redis);
  await lane.advance(await lane.push('v1.0.0'));
  await keepLive(lane, 'v1.0.0');
  await release(lane.env, 'v1.1.0');
  await promoteByHand(lane, 'v1.1.0');
  expect(await compared(lane)).toEqual([
    expect.stringMatching(/^state-older .*v1\.1\.0 is live in test.*v1\.0\.0/),
  ]);
});

test('a lane is held if the version that it is about to promote is live already, and nothing else is known', async () => {
  const lane = await oneLane(redis);
  await lane.push('v1.0.0');
  await promoteByHand(lane, 'v1.0.0');
  expect(await compared(lane)).toEqual([expect.stringContaining('v1.0.0 is live in test')]);
});

test('a lane that has verified nothing yet is held if another version is live than the one that it promoted', async () => {
  const lane = await oneLane(redis, { lane: { verify } });
  await lane.advance(await lane.push('v1.0.0'));
  expect(await compared(lane)).toEqual([]);
  await release(lane.env, 'v1.1.0');
  await promoteByHand(lane, 'v1.1.0');
  expect(await compared(lane)).toEqual([
    expect.stringMatching(/v1\.1\.0 is live in test.*the records name v1\.0\.0/),
  ]);
});

test('a promotion that was accepted since, and found its version there, explains nothing', async () => {
  const lane = await oneLane(redis, { lane: { verify } });
  await keepLive(lane, 'v1.0.0');
  const [keys, connection] = [keysUnder(lane.env.prefix), redis.connect()];
  await connection.hset(keys.epoch, 'since', lane.clock.now());
  const id = await lane.push('v1.1.0');
  await promoteByHand(lane, 'v1.1.0');
  const step = { name: 'start', verify: 0, since: lane.clock.now() };
  await connection.hset(keys.promotion(id), 'step', JSON.stringify(step), 'version', 'v1.1.0');
  expect(await compared(lane)).toEqual([expect.stringContaining('v1.1.0 is live in test')]);
});

test('a lane is held if GitHub shows another state of its promotion than the records', async () => {
  const lane = await oneLane(redis, { lane: { verify } });
  const id = await lane.push('v1.0.0');
  const { task, report } = await lane.advance(id);
  const context = 'millrace/to-test';
  const set = (state: 'pending' | 'success', description: string) =>
    lane.github.setStatus(repositoryName, {
      sha: task.commit,
      state,
      context,
      description,
      targetUrl: undefined,
    });
  await set('success', 'v1.0.0 is live');
  // Another update is on its way: GitHub need not show the newest.
  expect(await compared(lane)).toEqual([]);
  await lane.ports.store.takeReport(id, lane.clock.now() + 1_000);
  await lane.ports.store.returnReport(id, String(report.seq), lane.clock.now() + 1_000);
  await set('pending', report.text);
  expect(await compared(lane)).toEqual([]);
  await set('success', 'v1.0.0 is live');
  expect(await compared(lane)).toEqual([expect.stringContaining('GitHub shows “v1.0.0 is live”')]);
});

test('a lane is held if GitHub has a deployment of a promotion that the records do not know', async () => {
  const permissions = { contents: 'read', deployments: 'write', statuses: 'write' } as const;
  const lane = await oneLane(redis, { github: { tokens: { worker: { permissions } } } });
  const { task } = await lane.advance(await lane.push('v1.0.0'));
  const deploy = (promotion: string) =>
    lane.github.deployments.create(repositoryName, {
      commit: task.commit,
      environment: 'test',
      description: 'v1.0.0',
      payload: { promotion, lane: 'to-test', version: 'v1.0.0' },
    });
  await deploy('promotion-v1.0.0');
  expect(await compared(lane)).toEqual([]);
  await deploy('promotion-v1.1.0');
  expect(await compared(lane)).toEqual([expect.stringContaining('promotion-v1.1.0')]);
});

test('lanes that cannot be compared yet take no effect, and are compared later', async () => {
  const lane = await oneLane(redis);
  await lane.push('v1.0.0');
  await restarted(lane);
  lane.env.wire.interfere(() => 'forget');
  expect(await compareLanes(lane.ports, lane.github)).toBe(1);
  expect(await lane.ports.store.isBeingChecked(lane.lane)).toBe(true);
  lane.env.wire.interfere(undefined);
  expect(await compareLanes(lane.ports, lane.github)).toBe(0);
  expect(await lane.ports.store.isBeingChecked(lane.lane)).toBe(false);
});

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
  gates: { freeze: [], approvals: 0, soak: 0, authorsMayApprove: true },
  next: [],
};

/** The version is verified in the records that are gone, and the lane that follows has promoted it. */
async function followedInLostRecords(): Promise<OneLane> {
  const lane = await oneLane(redis, { lane: { verify, next: [toProd] } });
  await lane.advance(await lane.push('v1.0.0'));
  const environments = { sourceEnvironmentName: 'test', targetEnvironmentName: 'prod' };
  await lane.env.client.artifacts.promote({ projectId, ...environments, versionName: 'v1.0.0' });
  return lane;
}

test('a lane is held if the lane that follows has the version that is to be verified, and no record of it', async () => {
  expect(await compared(await followedInLostRecords())).toEqual([
    expect.stringMatching(/^state-older .*v1\.0\.0 is in prod, .* to-prod/),
  ]);
});

test('a lane is not held if the records know how the version was promoted by the lane that follows', async () => {
  const lane = await followedInLostRecords();
  const { task } = (await lane.ports.store.promotion('promotion-v1.0.0')) ?? {};
  if (task === undefined) throw new Error('no promotion');
  const head = { field: '', value: '' };
  await lane.ports.store.accept({
    promotionId: 'earlier',
    task: { ...task, lane: toProd, version: { kind: 'named', name: 'v1.0.0' } },
    order: 'any',
    head,
  });
  expect(await compared(lane)).toEqual([]);
});
