import { expect, test } from 'vitest';
import { callApi } from '../../environment/worker/call-api.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane, person, type OneLane } from '../promotion/gates/one-lane.ts';

const redis = testRedis();

interface Preview {
  readonly fingerprint: string;
  readonly items: readonly { readonly id: string }[];
  readonly more: number;
}

async function preview(lane: OneLane, action: string, query = ''): Promise<Preview> {
  const { status, body } = await lane.ask('root', 'GET', `bulk/${action}${query}`);
  expect([status, body]).toMatchObject([200, { action }]);
  return body as Preview;
}

const act = (lane: OneLane, action: string, body: object, as = 'root') =>
  lane.ask(as, 'POST', `bulk/${action}`, body);

/** Takes the same version into another lane; gives the lane's id and the promotion's. */
async function another(lane: OneLane, name: string, commit: string) {
  const id = lane.lane.replace('to-test', name);
  const { task } = (await lane.ports.store.promotion('promotion-v1.0.0')) ?? expect.unreachable();
  const own = { commit, lane: { ...task.lane, id, name } };
  return { id, promotion: await lane.push('v1.0.0', own, { published: true, id: name }) };
}

async function threeLanes() {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  const { commit } = ((await lane.ports.store.promotion(promotion)) ?? expect.unreachable()).task;
  const second = await another(lane, 'to-test-2', commit);
  const third = await another(lane, 'to-test-3', commit);
  const lanes = [{ id: lane.lane, promotion }, second, third] as const;
  return { lane, lanes, ids: lanes.map(({ id }) => id) };
}

const hold = (lane: OneLane, id: string, reason: string) =>
  lane.ask('ada', 'POST', `lanes/${encodeURIComponent(id)}/hold`, { reason });

test('bulk resume lifts what was previewed, and leaves out and names a lane that has changed since', async () => {
  const { lane, ids } = await threeLanes();
  for (const id of ids) await hold(lane, id, 'month end');
  const { fingerprint, items } = await preview(lane, 'resume');
  expect(items).toMatchObject(
    ids.map((id) => ({ id, environment: 'test', holds: [{ reason: 'month end' }] })),
  );
  await hold(lane, ids[1] ?? '', 'new');
  expect(await act(lane, 'resume', { fingerprint, reason: 'closed' })).toMatchObject({
    status: 200,
    body: {
      done: [{ id: ids[0] }, { id: ids[2] }],
      left: [
        {
          id: ids[1],
          reason: 'this item has changed since the preview, so nothing was done to it; preview again',
        },
      ],
    },
  });
  expect((await lane.ports.store.lane(ids[1] ?? ''))?.holds).toHaveLength(2);
  const audit = await lane.ports.store.auditEntries(2);
  expect(audit).toMatchObject([
    { by: 'root', act: 'resume', lane: ids[2] },
    { by: 'root', act: 'resume', lane: ids[0] },
  ]);
});

test('a preview changes nothing, is bound to its operator and its action, and without one nothing is done', async () => {
  const { lane, ids } = await threeLanes();
  await hold(lane, ids[0] ?? '', 'x');
  const { fingerprint } = await preview(lane, 'resume');
  expect((await lane.ports.store.lane(ids[0] ?? ''))?.holds).toHaveLength(1);
  expect(await act(lane, 'resume', {})).toMatchObject({ status: 400 });
  expect(await act(lane, 'resume', { fingerprint }, 'ada')).toMatchObject({ status: 409 });
  expect(await act(lane, 'retry', { fingerprint })).toMatchObject({ status: 409 });
  expect((await lane.ports.store.lane(ids[0] ?? ''))?.holds).toHaveLength(1);
  const stranger = { ...person('stranger', 'admin'), repositories: [42] };
  expect(await lane.ask(stranger, 'GET', 'bulk/resume')).toMatchObject({ body: { items: [] } });
});

test('filters narrow a preview, and an unknown one is refused', async () => {
  const { lane, ids } = await threeLanes();
  for (const id of ids) await hold(lane, id, 'x');
  const since = new Date(lane.clock.now()).toISOString();
  const later = new Date(lane.clock.now() + 1_000).toISOString();
  const counts = async (query: string) => (await preview(lane, 'resume', query)).items.length;
  for (const [query, count] of [
    ['?lane=to-test-2', 1],
    ['?environment=test', 3],
    ['?environment=prod', 0],
    ['?repository=77', 3],
    ['?repository=example/warehouse', 3],
    ['?cause=manual', 3],
    ['?cause=state-lost', 0],
    [`?since=${since}`, 3],
    [`?since=${later}`, 0],
  ] as const)
    expect(await counts(query), query).toBe(count);
  for (const query of ['?since=soon', '?repository=5', '?outcome=failed', '?cause=x', '?lanes=x'])
    expect(await lane.ask('root', 'GET', `bulk/resume${query}`), query).toMatchObject({ status: 400 });
});

test('bulk retry makes one new promotion of each lane’s newest one that failed', async () => {
  const { lane, lanes, ids } = await threeLanes();
  for (const { promotion } of lanes) await lane.ask('root', 'POST', `promotions/${promotion}/cancel`);
  for (const { promotion } of lanes) await lane.advance(promotion);
  expect((await preview(lane, 'retry')).items).toEqual([]);
  const { fingerprint, items } = await preview(lane, 'retry', '?outcome=cancelled');
  expect(items.map(({ id }) => id)).toEqual(lanes.map(({ promotion }) => promotion));
  await lane.ask('ada', 'POST', `promotions/${lanes[0].promotion}/retry`);
  const { body } = await act(lane, 'retry', { fingerprint });
  expect(body).toMatchObject({
    done: [{ id: lanes[1].promotion }, { id: lanes[2].promotion }],
    left: [
      {
        id: lanes[0].promotion,
        reason: 'this item has changed since the preview, so nothing was done to it; preview again',
      },
    ],
  });
  const { done } = body as { done: { promotion: string }[] };
  expect(await lane.advance(done[0]?.promotion ?? '')).toMatchObject({
    lane: ids[1],
    task: { retry: { by: 'root' } },
  });
  expect((await preview(lane, 'retry', '?outcome=cancelled')).items).toEqual([]);
});

test('bulk retry leaves out a lane that accepts a push at the same moment', async () => {
  const { lane, lanes } = await threeLanes();
  const [first] = lanes;
  await lane.ask('root', 'POST', `promotions/${first.promotion}/cancel`);
  await lane.advance(first.promotion);
  const { fingerprint } = await preview(lane, 'retry', '?outcome=cancelled');
  const { store } = lane.ports;
  const pushed = {
    ...lane.ports,
    store: {
      ...store,
      async accept(...given: Parameters<typeof store.accept>) {
        if (given[0].task.retry !== undefined) await lane.push('v1.1.0');
        return store.accept(...given);
      },
    },
  };
  const request = { method: 'POST', path: 'bulk/retry', body: { fingerprint } } as const;
  expect(await callApi(request, person('root', 'admin'), pushed)).toMatchObject({
    body: {
      done: [],
      left: [{ id: first.promotion, reason: expect.stringContaining('the lane has changed') }],
    },
  });
  expect((await store.lane(first.id))?.active).toBe('promotion-v1.1.0');
});

test('a bulk action reads only the lanes of its items', async () => {
  const { lane, ids } = await threeLanes();
  await hold(lane, ids[1] ?? '', 'month end');
  const { fingerprint } = await preview(lane, 'resume');
  const read = new Set<string>();
  const { store } = lane.ports;
  const watched = {
    ...lane.ports,
    store: {
      ...store,
      async lane(id: string) {
        read.add(id);
        return store.lane(id);
      },
    },
  };
  const request = { method: 'POST', path: 'bulk/resume', body: { fingerprint } } as const;
  expect(await callApi(request, person('root', 'admin'), watched)).toMatchObject({ body: { left: [] } });
  expect([...read]).toEqual([ids[1]]);
});

test('bulk resolve checks each verdict against the platform, and names what it refutes', async () => {
  const { lane, lanes } = await threeLanes();
  for (const { id, promotion } of lanes.slice(0, 2)) {
    const begun = await lane.ports.store.beginAdvance({ id: promotion });
    if ('status' in begun) throw new Error(begun.status);
    const { key } = begun;
    await lane.ports.store.record(key, {
      kind: 'effect',
      what: 'intend-promote',
      fields: {
        intent: JSON.stringify({ effect: 'promote', at: 0, what: 'v1.0.0 in test' }),
        step: JSON.stringify({ name: 'promote', since: 0, readBacks: 9 }),
      },
    });
    const cause = {
      cause: 'indeterminate',
      by: 'millrace',
      reason: 'not known',
      since: 0,
      promotion,
    } as const;
    await lane.ports.store.finish(key, {
      outcome: 'indeterminate',
      message: 'not known',
      report: { state: 'error', text: 'not known' },
      hold: cause,
      state: 'finished',
    });
    expect((await lane.ports.store.lane(id))?.holds).toHaveLength(1);
  }
  expect(await lane.ask('ada', 'GET', 'bulk/resolve')).toMatchObject({ status: 403 });
  const { fingerprint, items } = await preview(lane, 'resolve');
  expect(items.map(({ id }) => id)).toEqual(lanes.slice(0, 2).map(({ promotion }) => promotion));
  expect(await act(lane, 'resolve', { fingerprint })).toMatchObject({ status: 400 });
  expect(await act(lane, 'resolve', { fingerprint, happened: true })).toMatchObject({
    body: { done: [], left: [{ reason: expect.stringContaining('v1.0.0') }, {}] },
  });
  expect(await act(lane, 'resolve', { fingerprint, happened: false, reason: 'looked' })).toMatchObject({
    body: { done: [{ id: lanes[0].promotion }, { id: lanes[1].promotion }], left: [] },
  });
  expect(await lane.advance(lanes[0].promotion)).toMatchObject({ outcome: 'passed' });
});
