import { expect, test } from 'vitest';
import type { Period } from '../../../../lib/config/project/gates-schema.ts';
import { testRedis } from '../../../environment/redis.ts';
import { failingSecond } from '../../../environment/worker/lanes-at-work.ts';
import { oneLane, person } from './one-lane.ts';

const redis = testRedis();

/** A Wednesday evening, frozen from 18:00 to 20:00 in London. */
const evening: Period = { from: '18:00', to: '20:00', zone: 'Europe/London' };
const during = Date.UTC(2031, 0, 1, 18, 30);
const verify = [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }];

test('during a freeze nothing is promoted, its end is shown, and the promotion then continues by itself', async () => {
  const lane = await oneLane(redis, { gates: { freeze: [evening] }, start: during });
  const promotion = await lane.push('v1.0.0');
  expect((await lane.advance(promotion)).report.text).toBe('Waiting until 2031-01-01T20:00Z: test is frozen');
  await lane.clock.advance(89 * 60_000);
  expect(await lane.advance(promotion)).toMatchObject({ state: 'active' });
  expect(lane.env.wire.calls.every(({ method }) => method === 'GET')).toBe(true);
  await lane.clock.advance(60_000);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('an execution is not started in a freeze that began after the promotion, and its time limit waits too', async () => {
  const lane = await oneLane(redis, {
    gates: { freeze: [evening] },
    lane: { verify },
    start: Date.UTC(2031, 0, 1, 17, 59, 59),
  });
  const promotion = await lane.push('v1.0.0');
  lane.env.wire.interfere(async ({ path, method }) => {
    if (method === 'POST' && path.endsWith('/promotions')) await lane.clock.advance(2_000);
    return undefined;
  });
  expect(await lane.advance(promotion)).toMatchObject({
    step: { name: 'start' },
    report: { text: 'Waiting until 2031-01-01T20:00Z: test is frozen' },
  });
  expect(lane.env.wire.count('POST', '/pipeline-executions')).toBe(0);
  await lane.clock.advance(2 * 3_600_000);
  expect(await lane.advance(promotion)).toMatchObject({ step: { name: 'watch' } });
});

test('an admin’s override lets one promotion through, with a reason that the audit and the history keep', async () => {
  const lane = await oneLane(redis, { gates: { freeze: [evening] }, start: during });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  const seen = { commit: task.commit, version: 'v1.0.0' };
  const override = (as: string, body: unknown) =>
    lane.ask(as, 'POST', `promotions/${promotion}/override-freeze`, body);
  expect(await override('ada', { ...seen, reason: 'a hurry' })).toMatchObject({ status: 403 });
  expect(await override('root', seen)).toMatchObject({
    status: 400,
    body: { error: 'an override needs a `reason`' },
  });
  expect(await override('root', { reason: 'a hurry' })).toMatchObject({ status: 400 });
  expect(await override('root', { ...seen, version: 'v2', reason: 'a hurry' })).toMatchObject({
    status: 409,
  });
  expect(await lane.advance(promotion)).toMatchObject({ state: 'active' });

  expect(await override('root', { ...seen, reason: 'the fix of the outage' })).toMatchObject({ status: 200 });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  const history = await lane.ports.store.history({ promotion });
  const intent = history.find(({ what }) => what === 'intend-promote');
  expect(JSON.parse(intent?.data ?? '')).toMatchObject({
    inFreeze: { by: 'root', reason: 'the fix of the outage' },
  });
  expect(await lane.ask('ada', 'GET', `audit?promotion=${promotion}`)).toMatchObject({
    body: {
      entries: [
        {
          by: 'root',
          via: 'api',
          act: 'override-freeze',
          data: expect.stringContaining('the fix of the outage'),
        },
      ],
    },
  });
});

test('an override is of one run: the next one waits again, and it opens no other gate', async () => {
  const lane = await oneLane(redis, { gates: { freeze: [evening], approvals: 1 }, start: during });
  const first = await lane.push('v1.0.0');
  const { task } = await lane.advance(first);
  const body = { commit: task.commit, version: 'v1.0.0', reason: 'a hurry' };
  await lane.ask('root', 'POST', `promotions/${first}/override-freeze`, body);
  expect((await lane.advance(first)).report.text).toContain('Waiting for 1 approval');
  await lane.approve('ada', first);
  expect(await lane.advance(first)).toMatchObject({ outcome: 'passed' });
  const second = await lane.push('v1.1.0');
  await lane.advance(second);
  await lane.approve('ada', second);
  expect((await lane.advance(second)).report.text).toContain('test is frozen');
});

test('an override stops at a hold', async () => {
  const lane = await oneLane(redis, { gates: { freeze: [evening] }, start: during });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  const body = { commit: task.commit, version: 'v1.0.0', reason: 'a hurry' };
  await lane.ask('root', 'POST', `promotions/${promotion}/override-freeze`, body);
  await lane.ask('ada', 'POST', `lanes/${encodeURIComponent(lane.lane)}/hold`, { reason: 'wait' });
  expect((await lane.advance(promotion)).report.text).toBe('Waiting: the lane is on hold');
  expect(lane.promotions()).toBe(0);
});

test('a failed version is rolled back during a freeze too, and the history shows the freeze', async () => {
  const lane = await oneLane(redis, {
    gates: { freeze: [evening] },
    lane: { verify, onFailure: 'rollback' },
    start: Date.UTC(2031, 0, 1, 17, 50),
    seed: failingSecond('test'),
  });
  const before = await lane.push('v0.9.0');
  await expect.poll(async () => (await lane.advance(before)).outcome).toBe('passed');
  const promotion = await lane.push('v1.0.0');
  expect(await lane.advance(promotion)).toMatchObject({ step: { name: 'watch' } });
  await lane.clock.advance(15 * 60_000);
  await expect.poll(async () => (await lane.advance(promotion)).outcome).toBe('failed');
  expect(await lane.env.versions('test')).toContain('!v1.0.0');
  const history = await lane.ports.store.history({ promotion });
  expect(JSON.parse(history.find(({ what }) => what === 'intend-disable')?.data ?? '')).toMatchObject({
    inFreeze: true,
  });
});

test('a newer push takes the place of what waits for the end of a freeze', async () => {
  const lane = await oneLane(redis, { gates: { freeze: [evening] }, start: during });
  const first = await lane.push('v1.0.0');
  await lane.advance(first);
  const second = await lane.push('v1.1.0');
  expect(await lane.advance(first)).toMatchObject({ outcome: 'superseded' });
  await lane.clock.advance(2 * 3_600_000);
  expect(await lane.advance(second)).toMatchObject({ outcome: 'passed' });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0']);
});

test('an override is refused without a freeze, and for a repository without access', async () => {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  const { task } = (await lane.ports.store.promotion(promotion)) ?? expect.unreachable();
  const body = { commit: task.commit, version: 'v1.0.0', reason: 'a hurry' };
  expect(await lane.ask('root', 'POST', `promotions/${promotion}/override-freeze`, body)).toMatchObject({
    status: 409,
  });
  const elsewhere = { ...person('root', 'admin'), repositories: [42] };
  expect(await lane.ask(elsewhere, 'POST', `promotions/${promotion}/override-freeze`, body)).toMatchObject({
    status: 404,
  });
});
