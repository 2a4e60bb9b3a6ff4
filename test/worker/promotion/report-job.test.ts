import { Queue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { queueNames } from '../../../worker/store/jobs/job-kinds.ts';
import type { PromotionJob } from '../../../worker/store/jobs/work-queues.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane } from './gates/one-lane.ts';

const redis = testRedis();

/** A promotion that is being advanced, and the queue of the reports. */
async function advancing() {
  const { ports, push } = await oneLane(redis);
  const promotion = await push('v1.0.0');
  const begun = await ports.store.beginAdvance({ id: promotion });
  if ('status' in begun) throw new Error('no advance');
  const connection = redis.connect();
  const queue = new Queue<PromotionJob>(queueNames.report, { connection, prefix: ports.settings.prefix });
  onTestFinished(() => queue.close());
  const record = (text: string) =>
    ports.store.record(begun.key, { kind: 'state', what: '', report: { state: 'pending', text } });
  const states = async () =>
    (await queue.getJobs()).map(({ data }) => data.seq).toSorted((a = 0, b = 0) => a - b);
  /** The job of a state as BullMQ keeps it, without the time. */
  const stored = async (of: string, seq: number): Promise<Record<string, string>> => {
    const { timestamp, ...fields } = await connection.hgetall(queue.toKey(`s-${of}-${seq}`));
    expect(Number(timestamp)).toBeGreaterThan(Date.now() - 60_000);
    return fields;
  };
  return { ports, promotion, key: begun.key, connection, queue, record, states, stored };
}

test('a state that is recorded gets its job in the same step, as BullMQ adds one', async () => {
  const { ports, promotion, queue, record, stored } = await advancing();
  const { reportSeq: seq } = await record('Promoting');
  await ports.queues.addReport('another', seq, 300);
  const { data = '', opts = '', ...expected } = await stored('another', seq);
  const { data: ownData = '', opts: ownOpts = '', ...fields } = await stored(promotion, seq);
  expect(fields).toEqual(expected);
  expect(JSON.parse(ownData)).toEqual({ ...(JSON.parse(data) as object), promotionId: promotion });
  const shared = { delay: 300, removeOnComplete: true, removeOnFail: true };
  expect(JSON.parse(ownOpts)).toEqual(shared);
  expect(JSON.parse(opts)).toEqual({ ...shared, attempts: 0, jobId: `s-another-${seq}` });
  expect(await queue.getDelayedCount()).toBe(2);
});

test('the job of a recorded state replaces the job of the state before, unless that one is being sent', async () => {
  const { promotion, connection, queue, record, states } = await advancing();
  const { reportSeq: first } = await record('Promoting');
  await record('Starting');
  // Nothing new to report.
  await record('Starting');
  expect(await states()).toEqual([first + 1]);
  await connection.set(queue.toKey(`s-${promotion}-${first + 1}:lock`), 'a sender', 'PX', 60_000);
  await record('Running');
  expect(await states()).toEqual([first + 1, first + 2]);
});

test('each state wakes a consumer, also after another has taken the marker of the state before it: that one may have ended', async () => {
  const { connection, queue, record } = await advancing();
  await record('Promoting');
  await connection.del(queue.toKey('marker'));
  await record('Starting');
  expect(await connection.exists(queue.toKey('marker'))).toBe(1);
});

test('the end of a promotion gets its job in the same step, due at once, in place of the job before it', async () => {
  const { ports, promotion, key, queue, record, states } = await advancing();
  const { reportSeq: seq } = await record('Promoting');
  await ports.store.finish(key, {
    outcome: 'passed',
    message: 'done',
    report: { state: 'success', text: 'done' },
    state: 'finished',
  });
  expect(await states()).toEqual([seq + 1]);
  const job = await queue.getJob(`s-${promotion}-${seq + 1}`);
  expect(job?.data).toEqual({ promotionId: promotion, seq: seq + 1 });
  expect(job?.delay).toBe(0);
});

test('a promotion that gets its lane gets its job in the same step, as the worker enqueues one', async () => {
  const { ports, push } = await oneLane(redis);
  const connection = redis.connect();
  const keyOf = (promotion: string): string => `${ports.queues.advanceJobKeys}${promotion}`;
  const stored = async (promotion: string) => {
    const { timestamp: _, data = '', ...fields } = await connection.hgetall(keyOf(promotion));
    return { ...fields, data: JSON.parse(data) as object };
  };
  const promotion = await push('v1.0.0');
  const added = await stored(promotion);
  await connection.del(keyOf(promotion));
  await ports.queues.enqueueAdvance(promotion);
  expect(added).toEqual(await stored(promotion));
  // One that waits for the lane gets it with the lane.
  expect(await connection.exists(keyOf(await push('v1.1.0')))).toBe(0);
});
