import { type Admission, createAdmission } from '../../../../worker/store/admission.ts';
import { type Advances, createAdvances } from '../../../../worker/store/advances/advances.ts';
import { createScriptCalls } from '../../../../worker/store/call-scripts.ts';
import { createPauses, type Pauses } from '../../../../worker/store/gates/pauses.ts';
import { createLaneControl, type LaneControl } from '../../../../worker/store/lanes/lane-control.ts';
import { createLaneReads, type LaneReads } from '../../../../worker/store/lanes/lane-reads.ts';
import { createStateChecks, type StateChecks } from '../../../../worker/store/recovery/state-checks.ts';
import { recordFormat } from '../../../../worker/records/record-format.ts';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createStateMemory } from '../../../../worker/store/recovery/state-memory.ts';
import { manualClock, type ManualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';
import { takeSnapshot } from '../../../environment/redis-snapshot.ts';
import { promotionTask } from '../promotion-task.ts';

const redis = testRedis();
const lane = '77/p/to-test';
const [marker, otherLane] = ['new', '77/p/to-prod'];

type Store = Admission & Advances & LaneControl & LaneReads & Pauses & StateChecks;

interface Shared {
  readonly prefix: string;
  readonly connection: Redis;
  readonly clock: ManualClock;
  /** The store of another worker on the same Redis, and the lanes that it found held. */
  worker(): { readonly store: Store; readonly older: string[] };
}

async function createTestEnvironment(): Promise<Shared> {
  const prefix = `{s-${randomUUID()}}`;
  const [connection, keys, clock] = [redis.connect(), keysUnder(prefix), manualClock()];
  await connection.set(keys.state, marker);
  // The process of Redis was known before.
  const [, run = ''] = /run_id:(\w+)/.exec(await connection.info('server')) ?? [];
  await connection.hset(keys.epoch, 'run', run, 'since', 0);
  return {
    prefix,
    connection,
    clock,
    worker() {
      const [memory, older] = [createStateMemory(), [] as string[]];
      memory.follow(marker);
      const onOlder = (lanes: readonly string[]): void => void older.push(...lanes);
      const own = redis.connect();
      const call = createScriptCalls(own, keys, clock, { older: { memory, onOlder } });
      const ignore = (): void => undefined;
      const store: Store = {
        ...createAdmission(call, clock, ignore),
        ...createAdvances(call, ignore, recordFormat),
        ...createLaneControl(call, ignore),
        ...createLaneReads(own, keys),
        ...createPauses(own, keys, call),
        ...createStateChecks(own, keys, clock, call),
      };
      return { store, older };
    },
  };
}

async function accept(store: Admission, promotionId: string, id = lane): Promise<void> {
  const head = { field: `refs/tags/${promotionId}`, value: 'a'.repeat(40) };
  const task = promotionTask(promotionId, { id, lane: id.slice(5) });
  expect(await store.accept({ promotionId, task, order: 'differs', head })).toMatchObject({
    status: 'accepted',
  });
}

async function begin(store: Advances, id: string) {
  const begun = await store.beginAdvance({ id });
  if ('status' in begun) throw new Error(`${id} does not begin: ${begun.status}`);
  return begun.key;
}

const intent = {
  kind: 'effect',
  what: 'intend-promote',
  data: { what: 'v1 in test' },
  fields: { intent: '{}' },
} as const;

const holdsOf = async (store: LaneReads, id = lane) => (await store.lane(id))?.holds ?? [];

test('a lane whose recorded intent is gone is held with the name of what is lost, and another lane is not', async () => {
  const env = await createTestEnvironment();
  const { store, older } = env.worker();
  await accept(store, 'p1');
  await accept(store, 'p2', otherLane);
  const key = await begin(store, 'p1');
  const restore = await takeSnapshot(env.connection, env.prefix);
  expect(await store.record(key, intent)).toMatchObject({ status: 'ok' });
  await restore();
  expect(await store.record(key, intent)).toMatchObject({ status: 'held' });
  expect(await holdsOf(store)).toMatchObject([
    {
      cause: 'state-older',
      by: 'millrace',
      reason: expect.stringContaining('intend-promote {"what":"v1 in test"}'),
    },
  ]);
  expect(await holdsOf(store, otherLane)).toEqual([]);
  expect(older).toEqual([lane]);
});

test('what other workers record on the older state hides nothing', async () => {
  const env = await createTestEnvironment();
  const [one, other] = [env.worker(), env.worker()];
  await accept(one.store, 'p1');
  const key = await begin(one.store, 'p1');
  const restore = await takeSnapshot(env.connection, env.prefix);
  await one.store.record(key, intent);
  await restore();
  for (let i = 0; i < 20; i += 1) await other.store.wake([lane]);
  await one.store.wake([]);
  expect(await holdsOf(other.store)).toMatchObject([{ cause: 'state-older' }]);
});

test('a lost poll of an execution holds no lane', async () => {
  const env = await createTestEnvironment();
  const { store } = env.worker();
  await accept(store, 'p1');
  const restore = await takeSnapshot(env.connection, env.prefix);
  await store.endAdvance(await begin(store, 'p1'));
  await restore();
  await store.wake([]);
  expect(await holdsOf(store)).toEqual([]);
});

test('a lane that is gone with the state is held when it is accepted again', async () => {
  const env = await createTestEnvironment();
  const { store } = env.worker();
  const restore = await takeSnapshot(env.connection, env.prefix);
  await accept(store, 'p1');
  await restore();
  await accept(store, 'p1');
  expect(await store.lane(lane)).toMatchObject({ active: undefined, holds: [{ cause: 'state-older' }] });
});

test('a cancel whose promotion is gone with the state holds the lane', async () => {
  const env = await createTestEnvironment();
  const [one, other] = [env.worker(), env.worker()];
  await accept(one.store, 'p1');
  const restore = await takeSnapshot(env.connection, env.prefix);
  await accept(one.store, 'p2');
  await other.store.cancel('p2', 'ada');
  await restore();
  await other.store.wake([]);
  expect(await holdsOf(other.store)).toMatchObject([
    { cause: 'state-older', reason: expect.stringContaining('cancel') },
  ]);
});

test('a lane that is created again after a lost pause is held', async () => {
  const env = await createTestEnvironment();
  const { store } = env.worker();
  const restore = await takeSnapshot(env.connection, env.prefix);
  await accept(store, 'p1');
  await store.pause({ by: 'ada', via: 'api', reason: 'night', since: 1 });
  await restore();
  await store.wake([]);
  await accept(store, 'p2', otherLane);
  expect(await holdsOf(store, otherLane)).toMatchObject([{ cause: 'state-older' }]);
});

test('a pause that is gone holds every lane', async () => {
  const env = await createTestEnvironment();
  const { store } = env.worker();
  await accept(store, 'p1');
  const restore = await takeSnapshot(env.connection, env.prefix);
  await store.pause({ by: 'ada', via: 'api', reason: 'night', since: 1 });
  await restore();
  await store.wake([]);
  expect(await holdsOf(store)).toMatchObject([
    { cause: 'state-older', reason: expect.stringContaining('night') },
  ]);
});

test('two advances that began before and after an older state came back never share a fence', async () => {
  const env = await createTestEnvironment();
  const [one, other] = [env.worker(), env.worker()];
  await accept(one.store, 'p1');
  const restore = await takeSnapshot(env.connection, env.prefix);
  const key = await begin(one.store, 'p1');
  await restore();
  await begin(other.store, 'p1');
  expect(await one.store.record(key, intent)).toMatchObject({ status: 'fenced' });
});

test('after a restart of Redis nothing takes effect before each worker that ran has called, or ten seconds have passed', async () => {
  const env = await createTestEnvironment();
  const [one, other, dead] = [env.worker(), env.worker(), env.worker()];
  await accept(one.store, 'p1');
  const key = await begin(one.store, 'p1');
  for (const { store } of [other, dead]) await store.wake([]);
  // As a new process of Redis finds it.
  await env.connection.hset(keysUnder(env.prefix).epoch, 'run', 'another');
  const check = async () => {
    const { run, lanes } = await one.store.uncheckedLanes();
    for (const id of lanes) await one.store.endCheck(id, run, undefined);
    return one.store.record(key, intent);
  };
  expect(await check()).toMatchObject({ status: 'held' });
  await other.store.wake([]);
  expect(await check()).toMatchObject({ status: 'held' });
  await env.clock.advance(10_000);
  expect(await check()).toMatchObject({ status: 'ok' });
  expect(await holdsOf(one.store)).toEqual([]);
});

test('a lane takes no effect until its records are compared, and is held if they contradict', async () => {
  const env = await createTestEnvironment();
  const { store } = env.worker();
  await accept(store, 'p1');
  await accept(store, 'p2', otherLane);
  const keys = [await begin(store, 'p1'), await begin(store, 'p2')] as const;
  await env.connection.hset(keysUnder(env.prefix).epoch, 'run', 'another');
  for (const key of keys) expect(await store.record(key, intent)).toMatchObject({ status: 'held' });
  const { run } = await store.uncheckedLanes();
  expect(await store.endCheck(lane, run, 'v9 is live')).toBe('held');
  expect(await store.endCheck(otherLane, run, undefined)).toBe('agrees');
  expect(await store.endCheck(otherLane, run, 'too late')).toBe('late');
  expect(await store.record(keys[0], intent)).toMatchObject({ status: 'held' });
  expect(await store.record(keys[1], intent)).toMatchObject({ status: 'ok' });
  expect(await holdsOf(store)).toMatchObject([
    { cause: 'state-older', reason: expect.stringContaining('v9 is live') },
  ]);
});
