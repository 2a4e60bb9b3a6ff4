import { expect, test } from 'vitest';
import { callApi } from '../../../environment/worker/call-api.ts';
import { testRedis } from '../../../environment/redis.ts';
import { projectId, repositoryId } from '../../../environment/worker/worker-environment.ts';
import { oneLane, type OneLane, person } from './one-lane.ts';

const redis = testRedis();

/** Two versions live one after the other. */
async function twoVersions(): Promise<OneLane> {
  const lane = await oneLane(redis);
  for (const version of ['v1.0.0', 'v1.1.0']) await lane.advance(await lane.push(version));
  expect((await lane.ports.store.lane(lane.lane))?.verified?.version).toBe('v1.1.0');
  return lane;
}

const path = (lane: OneLane, act: string): string => `lanes/${encodeURIComponent(lane.lane)}/${act}`;

test('a roll-back by hand takes the live version out, holds the lane, and is audited by name', async () => {
  const lane = await twoVersions();
  const rollBack = (as: string, body: unknown) => lane.ask(as, 'POST', path(lane, 'roll-back'), body);
  expect(await rollBack('ada', { reason: 'bad figures' })).toMatchObject({ status: 403 });
  expect(await rollBack('root', {})).toMatchObject({ status: 400 });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);

  expect(await rollBack('root', { reason: 'bad figures', version: 'v1.1.0' })).toMatchObject({
    status: 200,
    body: { disabled: 'v1.1.0', live: 'v1.0.0', held: 'roll-back by hand: bad figures' },
  });
  expect(await lane.env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
  expect(await lane.ports.store.lane(lane.lane)).toMatchObject({
    // The sequence stays: nothing older comes again by itself.
    // What was verified stays verified; what is live is the platform's to say.
    verified: { version: 'v1.1.0', seq: 2 },
    holds: [{ cause: 'rolled-back', by: 'root', reason: 'roll-back by hand: bad figures' }],
  });
  const audit = await lane.ask('root', 'GET', 'audit');
  expect(audit.body).toMatchObject({
    entries: [
      { by: 'root', act: 'rolled-back', data: expect.stringContaining('bad figures') },
      { by: 'root', act: 'hold' },
    ],
  });

  // A push waits until an operator resumes the lane; one resume is enough.
  const next = await lane.push('v1.2.0');
  await lane.advance(next);
  expect((await lane.ports.store.promotion(next))?.state).toBe('queued');
  expect(await lane.release('ada', 'fixed')).toMatchObject({ status: 200 });
  expect(await lane.advance(next)).toMatchObject({ outcome: 'passed' });
});

test('a roll-back by hand is shown by the promotion of the bad version, and its report is enqueued', async () => {
  const lane = await twoVersions();
  const [bad = ''] = await lane.ports.store.promotionIds(1);
  const before = await lane.ports.store.promotion(bad);
  await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'bad figures' });
  expect(await lane.ports.store.promotion(bad)).toMatchObject({
    outcome: 'passed',
    rolledBack: { by: 'root', disabled: 'v1.1.0', live: 'v1.0.0', reason: 'bad figures' },
    report: { seq: (before?.report.seq ?? 0) + 1, text: 'Rolled back to v1.0.0 by root: bad figures' },
  });
  expect(await lane.ports.store.openIds()).toContain(bad);
  expect(
    (await lane.ports.queues.counts()).find(({ queue, state }) => queue === 'report' && state === 'wait')
      ?.jobs,
  ).toBeGreaterThan(0);
});

test('an impossible roll-back leaves the lane on hold with a reason, and repeating it does no harm', async () => {
  const lane = await oneLane(redis);
  await lane.advance(await lane.push('v1.0.0'));
  const answer = await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'x' });
  expect(answer).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('The lane is now on hold') },
  });
  expect(await lane.env.versions('test')).toEqual(['v1.0.0']);
  await lane.advance(await lane.push('v1.1.0'));
  expect((await lane.ports.store.lane(lane.lane))?.holds[0]?.by).toBe('root');

  const other = await twoVersions();
  const body = { reason: 'x', version: 'v1.1.0' };
  expect(await other.ask('root', 'POST', path(other, 'roll-back'), body)).toMatchObject({ status: 200 });
  expect(await other.ask('root', 'POST', path(other, 'roll-back'), body)).toMatchObject({ status: 200 });
  expect(await other.env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
});

test.each([[7], [''], [' '], [null], [['v1.1.0']]])(
  'a roll-back of the version %j, which is not a name, is refused: it must not become one of whatever is live',
  async (version) => {
    const lane = await twoVersions();
    const refused = await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'x', version });
    expect(refused).toMatchObject({ status: 400 });
    expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
    expect((await lane.ports.store.lane(lane.lane))?.holds).toEqual([]);
  },
);

test('a roll-back is refused while a promotion is running in the target', async () => {
  const lane = await twoVersions();
  const promotion = await lane.push('v1.2.0');
  const released = Promise.withResolvers<undefined>();
  lane.env.wire.interfere(({ method, path: at }) =>
    method === 'POST' && at.endsWith('/promotions') ? released.promise : undefined,
  );
  const advance = lane.advance(promotion);
  await expect.poll(async () => (await lane.ports.store.promotion(promotion))?.intent).toBeDefined();
  expect(await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'x' })).toMatchObject({
    status: 409,
    body: { error: `promotion ${promotion} is running in test: cancel it first` },
  });
  released.resolve(undefined);
  expect(await advance).toMatchObject({ outcome: 'passed' });
});

test('an effect that begins while a roll-back is requested stops the roll-back', async () => {
  const lane = await twoVersions();
  const { ports } = lane;
  const id = await lane.push('v1.2.0');
  const body = { reason: 'x' };
  const request = { method: 'POST', path: path(lane, 'roll-back'), body } as const;
  const answer = await callApi(request, person('root', 'admin'), {
    ...ports,
    store: {
      ...ports.store,
      // The last moment before the lane is held.
      async holdForRollBack(...given) {
        const promotion = await ports.store.promotion(id);
        const begun = promotion && (await ports.store.beginAdvance(promotion));
        if (begun === undefined || 'status' in begun) throw new Error('the promotion does not have its lane');
        const intent = JSON.stringify({ effect: 'promote', at: 0, what: 'v1.2.0 in test' });
        await ports.store.record(begun.key, { kind: 'effect', what: 'intend-promote', fields: { intent } });
        return ports.store.holdForRollBack(...given);
      },
    },
  });
  expect(answer).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('is running in test') },
  });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
  expect((await ports.store.lane(lane.lane))?.holds).toEqual([]);
});

test('a roll-back is refused while another lane is changing the same environment', async () => {
  const lane = await twoVersions();
  const { ports } = lane;
  const { task } = (await ports.store.promotion('promotion-v1.1.0')) ?? expect.unreachable();
  const hotfix = { ...task.lane, name: 'hotfix', id: `${repositoryId}/${projectId}/hotfix` };
  const id = await lane.push('v1.1.1', { lane: hotfix });
  const begun = await ports.store.beginAdvance({ id });
  if ('status' in begun) expect.unreachable();
  const intent = JSON.stringify({ effect: 'promote', at: 0, what: 'v1.1.1 in test' });
  await ports.store.record(begun.key, { kind: 'effect', what: 'intend-promote', fields: { intent } });
  expect(await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'x' })).toMatchObject({
    status: 409,
    body: { error: `promotion ${id} is running in test: cancel it first` },
  });
  expect(await lane.env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
});

test('a live version disabled outside the worker holds the lane before the next promotion, once', async () => {
  const lane = await twoVersions();
  await lane.env.client.artifacts.setEnabled({
    projectId,
    environmentName: 'test',
    versionName: 'v1.1.0',
    enabled: false,
  });
  const promotion = await lane.push('v1.2.0');
  expect((await lane.advance(promotion)).report.text).toBe('Waiting: the lane is on hold');
  expect((await lane.ports.store.lane(lane.lane))?.holds).toMatchObject([
    {
      cause: 'disabled',
      by: 'millrace',
      reason: 'v1.1.0 was live in test and was disabled there directly on the platform, not by Millrace',
    },
  ]);
  expect(lane.promotions()).toBe(2);
  expect(await lane.release('ada')).toMatchObject({ status: 200 });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('a version that was rolled back through another lane holds the lane, with who did it', async () => {
  const lane = await twoVersions();
  const { task } = (await lane.ports.store.promotion('promotion-v1.1.0')) ?? expect.unreachable();
  const hotfix = { ...task.lane, name: 'hotfix', id: `${repositoryId}/${projectId}/hotfix` };
  await lane.advance(await lane.push('v1.1.1', { lane: hotfix }));
  await lane.ask('root', 'POST', path(lane, 'roll-back'), { reason: 'bad figures' });
  await lane.advance(await lane.push('v1.2.0', { lane: hotfix }));
  expect((await lane.ports.store.lane(hotfix.id))?.holds).toMatchObject([
    {
      cause: 'disabled',
      reason:
        'v1.1.1 was live in test and was rolled back to v1.1.0 through another lane by root: bad figures',
    },
  ]);
});

test('a hold is one person’s, with a reason, and its end is another’s: both are in the audit', async () => {
  const lane = await twoVersions();
  expect(await lane.ask('ada', 'POST', path(lane, 'hold'), { reason: '  ' })).toMatchObject({ status: 400 });
  await lane.ask('ada', 'POST', path(lane, 'hold'), { reason: 'month end' });
  const promotion = await lane.push('v1.2.0');
  await lane.advance(promotion);
  expect(lane.promotions()).toBe(2);
  const seen = { holds: (await lane.ports.store.lane(lane.lane))?.holds.map(({ id }) => id) };
  await lane.release('grace', 'over');
  expect(await lane.ask('grace', 'POST', path(lane, 'resume'), seen)).toMatchObject({ status: 409 });
  expect(await lane.ask('grace', 'POST', path(lane, 'resume'), {})).toMatchObject({ status: 400 });
  expect(await lane.ask('root', 'GET', `audit?lane=${encodeURIComponent(lane.lane)}`)).toMatchObject({
    body: {
      entries: [
        { by: 'grace', act: 'resume', data: expect.stringMatching(/over.*month end \(ada\)/) },
        { by: 'ada', act: 'hold', data: expect.stringContaining('month end') },
      ],
    },
  });
  const shown = await lane.ask('ada', 'GET', `lanes/${encodeURIComponent(lane.lane)}`);
  expect(JSON.stringify(shown.body)).toContain('month end');
});
