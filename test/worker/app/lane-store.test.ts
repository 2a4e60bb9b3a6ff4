import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { createLaneStore, type LaneStore } from '../../../worker/app/lane-store.ts';
import { testRedis } from '../../environment/redis.ts';
import { accept, beginAdvance, byHand, expectHistories, lane, passed } from './lane-histories.ts';
import { promotionTask } from '../store/promotion-task.ts';

const redis = testRedis();

/** One for all stores: a new one is sent the text of each script again. */
let shared: Redis;
beforeAll(() => {
  shared = redis.connect();
});

function freshStore(state = 'new'): LaneStore {
  const keys = keysUnder(`{s-${randomUUID()}}`);
  // Before anything else that goes over it.
  if (state !== '') void shared.set(keys.state, state);
  return createLaneStore(shared, keys, systemClock);
}

const unknown = 'the outcome is unknown';
const indeterminate = {
  outcome: 'indeterminate',
  message: unknown,
  hold: { cause: 'indeterminate', by: 'millrace', reason: unknown, since: 2, promotion: 'v1' },
  report: { state: 'error', text: unknown },
  state: 'finished',
} as const;

test('the same head of the same ref is accepted once', async () => {
  const store = freshStore();
  const head = { field: 'refs/heads/main', value: 'b'.repeat(40) };
  const task = promotionTask('v1');
  expect(await store.accept({ promotionId: 'r1', task, order: 'differs', head })).toMatchObject({
    status: 'accepted',
  });
  expect(await store.accept({ promotionId: 'r2', task, order: 'differs', head })).toEqual({
    status: 'duplicate',
  });
  const reset = { ...head, value: 'c'.repeat(40) };
  expect(await store.accept({ promotionId: 'r3', task, order: 'differs', head: reset })).toMatchObject({
    status: 'accepted',
    seq: 2,
  });
});

test('an acceptance based on an outdated sequence is answered changed', async () => {
  const store = freshStore();
  const checked = await store.laneSeq(lane);
  await accept(store, 'r1');
  const late = {
    promotionId: 'r2',
    task: promotionTask('v2'),
    order: 'differs' as const,
    expectedSeq: checked,
  };
  expect(await store.accept({ ...late, head: { field: 'refs/tags/v2', value: 'x' } })).toEqual({
    status: 'changed',
  });
});

test('a head that was read before the lane accepted another push of its ref is answered moved', async () => {
  const store = freshStore();
  const main = 'refs/heads/main';
  const since = await store.laneSeq(lane);
  const push = async (id: string, ref: string, value: string, headSince?: number) =>
    (
      await store.accept({
        promotionId: id,
        task: { ...promotionTask(id), ref },
        order: 'differs',
        head: { field: ref, value },
        headSince,
      })
    ).status;
  expect(await push('r1', 'refs/tags/v1', 'b')).toBe('accepted');
  expect(await push('r2', main, 'c', since)).toBe('accepted');
  // The branch went away and came back: its head is the same again.
  expect(await push('r3', main, 'd')).toBe('accepted');
  expect(await push('r4', main, 'c')).toBe('accepted');
  expect(await push('r5', main, 'd', since + 2)).toBe('moved');
  expect(await push('r6', main, 'd', since + 4)).toBe('accepted');
});

test('a late tag or a retried old promotion does not become the reference for later tags', async () => {
  const store = freshStore();
  const taskAt = (commit: string) => ({ ...promotionTask(commit), commit });
  await accept(store, 'newest');
  const newest = (await store.lane(lane))?.lastCommit;
  const late = { field: 'refs/tags/late', value: 'late' };
  await store.accept({ promotionId: 'late', task: taskAt('e'.repeat(40)), order: 'older', head: late });
  expect((await store.lane(lane))?.lastCommit).toBe(newest);
  const none = { field: '', value: '' };
  await store.accept({ promotionId: 'again', task: taskAt('d'.repeat(40)), order: 'any', head: none });
  expect((await store.lane(lane))?.lastCommit).toBe(newest);
});

test('an advance that is fenced off can write nothing, begin no effect and end nothing', async () => {
  const store = freshStore();
  await accept(store, 'r1');
  const old = await beginAdvance(store, 'r1');
  const now = await beginAdvance(store, 'r1');
  expect(await store.record(old, { kind: 'state', what: 'x' })).toMatchObject({ status: 'fenced' });
  expect(await store.record(old, { kind: 'effect', what: 'x' })).toMatchObject({ status: 'fenced' });
  expect(await store.finish(old, passed('v1'))).toBeUndefined();
  expect(await store.record(now, { kind: 'effect', what: 'x' })).toMatchObject({ status: 'ok' });
  expect(await store.finish(now, passed('v1'))).toMatchObject({ next: '' });
});

test('no effect begins while the lane is held, but the promotion may still record', async () => {
  const store = freshStore();
  await accept(store, 'r1');
  const advance = await beginAdvance(store, 'r1');
  await store.hold(lane, byHand('ada', 'a reason'));
  expect(await store.record(advance, { kind: 'effect', what: 'x' })).toMatchObject({ status: 'held' });
  expect(await store.record(advance, { kind: 'state', what: 'x' })).toMatchObject({ status: 'ok' });
  await store.resume(lane, 'ada');
  expect(await store.record(advance, { kind: 'effect', what: 'x' })).toMatchObject({ status: 'ok' });
});

test('after three cancelled promotions in a row the next one may finish', async () => {
  const store = freshStore();
  const cancelled: boolean[] = [];
  await accept(store, 'r0', 'cancel');
  for (let i = 1; i <= 5; i += 1) {
    await accept(store, `r${i}`, 'cancel');
    const active = (await store.lane(lane))?.active ?? '';
    const reported = (await store.promotion(active))?.cancel !== undefined;
    cancelled.push(reported);
    if (!reported) break;
    const advance = await beginAdvance(store, active);
    await store.finish(advance, {
      outcome: 'cancelled',
      message: '',
      report: { state: 'error', text: 'cancelled' },
      state: 'finished',
    });
  }
  expect(cancelled).toEqual([true, true, true, false]);
});

test('one sender at a time has a report; one whose lease expired while another had it causes a resend', async () => {
  const store = freshStore();
  await accept(store, 'r1');
  const advance = await beginAdvance(store, 'r1');
  await store.finish(advance, passed('v1'));
  const later = systemClock.now() + 3_600_000;
  const first = await store.takeReport('r1', later);
  expect(first).toMatchObject({ status: 'send', text: 'v1 is live' });
  expect(await store.takeReport('r1', later)).toEqual({ status: 'busy' });
  // The sender gives up without knowing whether it arrived.
  expect(await store.returnReport('r1', undefined, later)).toBe('more');
  const past = systemClock.now() - 1;
  const frozen = await store.takeReport('r1', past);
  const again = await store.takeReport('r1', later);
  expect([frozen.status, again.status]).toEqual(['send', 'send']);
  expect(await store.returnReport('r1', again.status === 'send' ? again.seq : '', later)).toBe('done');
  await store.close('r1');
  expect(await store.openIds()).toEqual([]);
  expect(await store.returnReport('r1', frozen.status === 'send' ? frozen.seq : '', past)).toBe('late');
  expect(await store.openIds()).toEqual(['r1']);
  expect(await store.takeReport('r1', later)).toMatchObject({ status: 'send', text: 'v1 is live' });
});

test('a promotion that the live version has overtaken never begins and ends as superseded', async () => {
  const prefix = `{t-${randomUUID()}}`;
  const connection = redis.connect();
  await connection.set(keysUnder(prefix).state, 'new');
  const store = createLaneStore(connection, keysUnder(prefix), systemClock);
  await accept(store, 'r1', 'every');
  await accept(store, 'r2', 'every');
  // As after a promotion beyond both was resolved by hand.
  await connection.hset(keysUnder(prefix).lane(lane), { liveSeq: 3, liveVersion: 'v3' });
  const { next } = (await store.finish(await beginAdvance(store, 'r1'), {
    outcome: 'failed',
    message: '',
    report: { state: 'failure', text: 'failed' },
    state: 'finished',
  })) ?? { next: 'fenced' };
  expect(next).toBe('');
  expect(await store.promotion('r2')).toMatchObject({ outcome: 'superseded', message: 'Superseded by v3' });
  expect((await store.lane(lane))?.verified?.seq).toBe(3);
});

test('old promotions are forgotten once they are over and reported, others never', async () => {
  const store = freshStore();
  await accept(store, 'r1');
  await store.finish(await beginAdvance(store, 'r1'), passed('r1'));
  await accept(store, 'r2');
  const future = systemClock.now() + 1_000;
  expect(await store.forget(future)).toBe(0);
  const taken = await store.takeReport('r1', future);
  await store.returnReport('r1', taken.status === 'send' ? taken.seq : '', future);
  await store.close('r1');
  expect(await store.forget(future)).toBe(1);
  expect(await store.promotion('r1')).toBeUndefined();
  expect(await store.promotion('r2')).toMatchObject({ state: 'active' });
  expect(await store.promotionIds(10)).toEqual(['r2']);
});

test('in any history a lane has one active promotion at most, its live sequence never falls, and the newest ends live or held', async () => {
  await expectHistories(freshStore, { numRuns: 60, seed: 20_311 });
});

test('each cause holds a lane separately: lifting one hold lifts neither another nor a newer one', async () => {
  const store = freshStore();
  await accept(store, 'v1');
  const key = await beginAdvance(store, 'v1');
  await store.hold(lane, byHand('ada', 'month end'));
  await store.hold(lane, byHand('ada', 'month end'));
  const seen = (await store.lane(lane))?.holds ?? [];
  expect(seen).toMatchObject([{ cause: 'manual', by: 'ada', reason: 'month end' }]);
  await store.finish(key, indeterminate);
  await accept(store, 'v2');
  const holds = seen.map(({ id }) => id);
  expect(await store.resume(lane, 'grace', { holds })).toMatchObject({
    status: 'ok',
    started: '',
    lifted: [{ reason: 'month end' }],
    left: [{ cause: 'indeterminate', reason: unknown, promotion: 'v1' }],
  });
  expect(await store.promotion('v2')).toMatchObject({ state: 'queued' });
  expect(await store.resume(lane, 'grace', { holds })).toEqual({ status: 'not-held' });
  expect(await store.resume(lane, 'grace')).toMatchObject({ status: 'ok', started: 'v2', left: [] });
  expect((await store.lane(lane))?.holds).toEqual([]);
});

test('a resolved promotion lifts the hold that it set itself, whatever else has the same words', async () => {
  const store = freshStore();
  await accept(store, 'v1');
  const key = await beginAdvance(store, 'v1');
  await store.finish(key, indeterminate);
  await store.hold(lane, byHand('ada', unknown));
  const at = { step: { name: 'watch', verify: 0, since: 0, executionId: 'e' }, keepIntent: false } as const;
  const promotion = { lane, id: 'v1' };
  expect(await store.resolve(promotion, at, { by: 'ada', findings: {} })).toEqual({
    status: 'ok',
    started: '',
  });
  expect((await store.lane(lane))?.holds).toMatchObject([{ cause: 'manual', by: 'ada' }]);
});

test('a resumed promotion keeps its place before a newer push and is cancelled in its turn', async () => {
  const store = freshStore();
  await accept(store, 'v1');
  const key = await beginAdvance(store, 'v1');
  const watching = { name: 'watch', verify: 0, since: 0, executionId: 'e' } as const;
  await store.record(key, {
    kind: 'state',
    what: 'started',
    fields: { step: JSON.stringify(watching), version: 'v1' },
  });
  await store.finish(key, indeterminate);
  await store.hold(lane, byHand('ada', 'month end'));
  await store.resolve({ lane, id: 'v1' }, { step: watching, keepIntent: false }, { by: 'ada', findings: {} });
  await accept(store, 'v2');
  await accept(store, 'v3');
  expect((await store.lane(lane))?.waiting).toEqual(['v1', 'v3']);
  expect(await store.promotion('v2')).toMatchObject({ outcome: 'superseded' });
  // Its execution is still to be terminated: it does not just end.
  expect(await store.cancel('v1', 'ada')).toBe('requested');
  expect(await store.promotion('v1')).toMatchObject({ state: 'queued', cancel: 'cancelled by ada' });
  expect(await store.resume(lane, 'ada')).toMatchObject({ started: 'v1' });
});

test('a resumed promotion that is superseded does not report that nothing was promoted', async () => {
  const [connection, keys] = [redis.connect(), keysUnder(`{s-${randomUUID()}}`)];
  await connection.set(keys.state, 'new');
  const store = createLaneStore(connection, keys, systemClock);
  await accept(store, 'v1');
  const key = await beginAdvance(store, 'v1');
  await store.hold(lane, byHand('ada', 'month end'));
  await store.finish(key, {
    outcome: 'indeterminate',
    message: 'the outcome is unknown',
    report: { state: 'error', text: 'the outcome is unknown' },
    state: 'finished',
  });
  await connection.hset(keys.promotion('v1'), { version: 'v1' });
  const at = { step: { name: 'start', verify: 0, since: 0 }, keepIntent: false } as const;
  await store.resolve({ lane, id: 'v1' }, at, { by: 'ada', findings: {} });
  // As after a promotion beyond it was resolved too.
  await connection.hset(keys.lane(lane), { liveSeq: 3, liveVersion: 'v3' });
  await store.resume(lane, 'ada');
  expect(await store.promotion('v1')).toMatchObject({
    outcome: 'superseded',
    report: { text: 'Superseded by v3 after it had begun: v1 may be in test, unverified' },
  });
});

test('without the marker nothing is accepted, because the records were lost', async () => {
  const store = freshStore('');
  await expect(accept(store, 'v1')).resolves.toEqual({ status: 'lost' });
  expect(await store.laneIds()).toEqual([]);
  expect(await store.promotion('v1')).toBeUndefined();
});

test('after a loss a lane that is not known starts on hold, whatever brings the first version to it', async () => {
  const store = freshStore('lost-1');
  expect(await accept(store, 'v1')).toMatchObject({ status: 'accepted', started: '' });
  expect((await store.lane(lane))?.holds).toMatchObject([{ cause: 'state-lost', by: 'millrace' }]);
  await store.resume(lane, 'ada');
  await store.finish(await beginAdvance(store, 'v1'), passed('v1'));
  // It is known now.
  expect(await accept(store, 'v2')).toMatchObject({ status: 'accepted', started: 'v2' });
});
