import { expect, test } from 'vitest';
import { compareNames } from '../../../../flows/versions/newer-version.ts';
import { anyVersion, laneVersions } from '../../../../worker/promotion/admission/lane-versions.ts';
import { testRedis } from '../../../environment/redis.ts';
import { projectId, repositoryId } from '../../../environment/worker/worker-environment.ts';
import { oneLane, type OneLane } from '../gates/one-lane.ts';

const redis = testRedis();
const target = { project: projectId, environment: 'test' };

/** A lane that has verified these versions. */
async function laneWith(...versions: readonly string[]): Promise<OneLane> {
  const lane = await oneLane(redis);
  for (const version of versions)
    expect(await lane.advance(await lane.push(version))).toMatchObject({ outcome: 'passed' });
  return lane;
}

async function rollBack(lane: OneLane, version: string): Promise<void> {
  const path = `lanes/${encodeURIComponent(lane.lane)}/roll-back`;
  const answer = await lane.ask('root', 'POST', path, { version, reason: 'bad figures' });
  expect(answer).toMatchObject({ status: 200 });
}

/** The platform's answer to a poll of the target. */
async function polled({ ports }: OneLane, version: string): Promise<void> {
  const number = (await ports.live.claim(target, 1_000)) ?? expect.unreachable();
  const answer = { version, commit: undefined, nextMs: 1_000, before: undefined, lanes: [] };
  expect(await ports.live.keep(target, number, answer)).toBe(true);
}

async function orderOf({ ports, lane }: OneLane, version: string): Promise<string> {
  const versions = await laneVersions({ id: lane, project: projectId, to: 'test' }, ports);
  return compareNames(version, versions, anyVersion).order;
}

test('after two roll-backs in a row, a fix of the older release line may come', async () => {
  const lane = await laneWith('v1.9.5', 'v2.0.0', 'v2.1.0');
  await polled(lane, 'v2.1.0');
  expect(await orderOf(lane, 'v1.9.6')).toBe('older');
  await rollBack(lane, 'v2.1.0');
  await rollBack(lane, 'v2.0.0');
  await polled(lane, 'v1.9.5');
  expect(await orderOf(lane, 'v1.9.6')).toBe('newer');
});

test('a version that was rolled back through another lane to the same environment does not count', async () => {
  const lane = await laneWith('v1.9.5');
  const { task } = (await lane.ports.store.promotion('promotion-v1.9.5')) ?? expect.unreachable();
  const hotfix = { ...task.lane, name: 'hotfix', id: `${repositoryId}/${projectId}/hotfix` };
  await lane.advance(await lane.push('v2.0.0', { lane: hotfix }));
  expect(await orderOf({ ...lane, lane: hotfix.id }, 'v1.9.6')).toBe('older');
  await rollBack(lane, 'v2.0.0');
  expect(await orderOf({ ...lane, lane: hotfix.id }, 'v1.9.6')).toBe('unknown');
});

test('a version that was disabled outside Millrace counts until the lane is held for it', async () => {
  const lane = await laneWith('v1.9.5', 'v2.0.0');
  await polled(lane, 'v2.0.0');
  await lane.ports.live.changed(target);
  const number = (await lane.ports.live.claim(target, 1_000)) ?? expect.unreachable();
  const before = { version: 'v2.0.0', status: 'disabled' };
  const answer = { version: 'v1.9.5', commit: undefined, nextMs: 1_000, before, lanes: [lane.lane] };
  expect(await lane.ports.live.keep(target, number, answer)).toBe(true);
  expect((await lane.ports.store.promotion('promotion-v2.0.0'))?.rolledBack?.outside).toBe(true);
  expect(await orderOf(lane, 'v1.9.6')).toBe('older');
});

test('a version that was rolled back and enabled again counts again', async () => {
  const lane = await laneWith('v1.9.5', 'v2.0.0');
  await polled(lane, 'v2.0.0');
  await rollBack(lane, 'v2.0.0');
  // The last answer is from before the roll-back.
  expect(await orderOf(lane, 'v1.9.6')).toBe('unknown');
  await lane.env.client.artifacts.setEnabled({
    projectId,
    environmentName: 'test',
    versionName: 'v2.0.0',
    enabled: true,
  });
  await polled(lane, 'v2.0.0');
  expect(await orderOf(lane, 'v1.9.6')).toBe('older');
});

test('a lane of the newest version does not go back because a newer one was disabled in the source', async () => {
  const lane = await laneWith('v1.0.0', 'v1.2.0');
  await polled(lane, 'v1.2.0');
  const { task } = (await lane.ports.store.promotion('promotion-v1.2.0')) ?? expect.unreachable();
  await lane.env.publish('v1.1.0', task.commit);
  for (const versionName of ['v1.0.0', 'v1.2.0']) {
    const what = { projectId, environmentName: 'dev', versionName, enabled: false };
    await lane.env.client.artifacts.setEnabled(what);
  }
  const next = await lane.push('next', { version: { kind: 'latest' }, ref: 'refs/heads/main' });
  await lane.env.client.artifacts.setEnabled({
    projectId,
    environmentName: 'dev',
    versionName: 'next',
    enabled: false,
  });
  expect(await lane.advance(next)).toMatchObject({
    outcome: 'superseded',
    message: expect.stringMatching(/^Superseded by v1\.2\.0, which is newer/u),
  });
  expect(await lane.env.versions('test')).toEqual(['v1.2.0', 'v1.0.0']);
});
