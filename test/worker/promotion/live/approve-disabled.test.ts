import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { oneLane, type OneLane } from '../gates/one-lane.ts';
import { projectId } from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

/** A promotion that waits for one approval. */
async function waiting(): Promise<{ readonly lane: OneLane; readonly promotion: string }> {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  return { lane, promotion };
}

async function disable(lane: OneLane, environmentName: string): Promise<void> {
  const { client } = lane.env;
  await client.artifacts.setEnabled({ projectId, environmentName, versionName: 'v1.0.0', enabled: false });
}

test('a version that is disabled in the source cannot be approved, until it is enabled again', async () => {
  const { lane, promotion } = await waiting();
  await disable(lane, 'dev');
  expect(await lane.approve('ada', promotion)).toEqual({
    status: 409,
    body: {
      error: 'v1.0.0 is disabled in dev: enable it there first, or promote another version',
      status: 409,
    },
  });
  expect((await lane.ports.store.promotion(promotion))?.approvals).toEqual([]);
  const name = { projectId, environmentName: 'dev', versionName: 'v1.0.0' };
  await lane.env.client.artifacts.setEnabled({ ...name, enabled: true });
  expect(await lane.approve('ada', promotion)).toMatchObject({ status: 200 });
});

test('a version that is disabled in the target cannot be approved', async () => {
  const { lane, promotion } = await waiting();
  await lane.env.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: 'v1.0.0',
  });
  await disable(lane, 'test');
  expect(await lane.approve('ada', promotion)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('v1.0.0 is disabled in test') },
  });
});

test('a freeze is not overridden for a version that is disabled', async () => {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
  const lane = await oneLane(redis, { gates: { freeze: [{ days: [...days], zone: 'Europe/London' }] } });
  const promotion = await lane.push('v1.0.0');
  const { task, version } = await lane.advance(promotion);
  await disable(lane, 'dev');
  const body = { commit: task.commit, version, reason: 'urgent' };
  expect(await lane.ask('root', 'POST', `promotions/${promotion}/override-freeze`, body)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('v1.0.0 is disabled in dev') },
  });
});

test('a platform that does not answer does not stop an approval, and the answer reports it', async () => {
  const { lane, promotion } = await waiting();
  lane.env.wire.interfere(({ method }) => (method === 'GET' ? 'lose' : undefined));
  expect(await lane.approve('ada', promotion)).toMatchObject({
    status: 200,
    body: { approved: promotion, unchecked: expect.stringMatching(/./) },
  });
});

test('a person who may not approve is refused without a request to the platform', async () => {
  const { lane, promotion } = await waiting();
  await disable(lane, 'dev');
  const calls = lane.env.wire.count('GET', '/artifacts/');
  expect(await lane.approve('octocat', promotion)).toMatchObject({
    body: { error: 'a person who pushed or requested a version cannot approve it' },
  });
  expect(await lane.approve('mallory', promotion)).toMatchObject({ status: 403 });
  expect(lane.env.wire.count('GET', '/artifacts/')).toBe(calls);
});
