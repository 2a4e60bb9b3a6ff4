import { Queue, Worker } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { advancePromotion } from '../../../worker/promotion/advance-promotion.ts';
import { recordFormat } from '../../../worker/records/record-format.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { advanceJobId, queueNames } from '../../../worker/store/jobs/job-kinds.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane } from './gates/one-lane.ts';

const redis = testRedis();
const lockMs = 60_000;

/** A promotion that is being advanced by a job, which this test has taken as a consumer does. */
async function advancing() {
  const { ports, push, clock, env } = await oneLane(redis);
  const promotion = await push('v1.0.0');
  const connection = redis.connect();
  const { prefix } = ports.settings;
  const consumer = new Worker(queueNames.promotion, null, {
    connection,
    prefix,
    lockDuration: lockMs,
    autorun: false,
  });
  const queue = new Queue(queueNames.promotion, { connection, prefix });
  onTestFinished(async () => {
    await consumer.close();
    await queue.close();
  });
  await ports.queues.enqueueAdvance(promotion);
  const take = async (token: string) => {
    const job = await consumer.getNextJob(token, { block: false });
    const begun = await ports.store.beginAdvance({ id: promotion }, {});
    if (job === undefined || 'status' in begun) throw new Error('no advance');
    return { job, key: begun.key };
  };
  const delayed = (token: string, delay = 30_000) => ({
    queuePrefix: ports.queues.advanceKeys,
    job: advanceJobId(promotion),
    token,
    delay,
  });
  const promote = () => redis.connect().hset(keysUnder(prefix).promotion(promotion), 'advanceRequested', '1');
  /** The job as BullMQ keeps it, without what tells its attempts apart. */
  const stored = async (): Promise<Record<string, string>> => {
    const { processedOn, ats, delay, ...fields } = await redis
      .connect()
      .hgetall(queue.toKey(advanceJobId(promotion)));
    expect([processedOn, ats]).not.toContain(undefined);
    // BullMQ counts it from a moment that it reads later.
    return { ...fields, isDelayed: String(Number(delay) > 0) };
  };
  const taken = (token: string) => ports.store.takeAdvance(ports.queues.advanceKeys, { token, lockMs });
  return { ports, promotion, push, clock, env, take, taken, delayed, queue, promote, stored };
}

test('an advance that ends delays its job as BullMQ does, and counts as ended', async () => {
  const { ports, promotion, take, delayed, queue, stored } = await advancing();
  const { key, job } = await take('one');
  const before = Date.now();
  await ports.store.endAndDelay(key, delayed('one'));
  expect((await ports.store.promotion(promotion))?.unfinished).toBe(0);
  const ours = await stored();
  expect(await job.getState()).toBe('delayed');
  const [, score] = await redis.connect().zrange(queue.toKey('delayed'), '0', '0', 'WITHSCORES');
  expect(Number(score) / 0x1000 - before).toBeGreaterThanOrEqual(29_999);
  // The same by BullMQ.
  await job.promote();
  const again = await take('two');
  await again.job.moveToDelayed(Date.now() + 30_000, 'two');
  expect(ours).toEqual(await stored());
  expect(await redis.connect().exists(`${queue.toKey(advanceJobId(promotion))}:lock`)).toBe(0);
});

test('an advance that has ended records nothing more', async () => {
  const { ports, promotion, take, delayed } = await advancing();
  const first = await take('one');
  await ports.store.endAndDelay(first.key, delayed('one'));
  const entry = { kind: 'state', what: 'late' } as const;
  expect(await ports.store.record(first.key, entry)).toMatchObject({ status: 'fenced' });
  const begun = await ports.store.beginAdvance({ id: promotion });
  if ('status' in begun) throw new Error('no advance');
  await ports.store.endAdvance(begun.key);
  expect(await ports.store.record(begun.key, entry)).toMatchObject({ status: 'fenced' });
  expect((await ports.store.history({ promotion })).map(({ what }) => what)).not.toContain('late');
});

test('a promotion whose advance was requested since it began is due at once', async () => {
  const { ports, take, delayed, queue, promote } = await advancing();
  const { key } = await take('one');
  await promote();
  await ports.store.endAndDelay(key, delayed('one'));
  const [, score] = await redis.connect().zrange(queue.toKey('delayed'), '0', '0', 'WITHSCORES');
  expect(Number(score) / 0x1000).toBeLessThanOrEqual(Date.now() + 1);
});

test('a worker that lost its job cannot delay it, nor end the advance of the next one', async () => {
  const { ports, promotion, take, delayed, queue } = await advancing();
  const { key } = await take('one');
  await redis.connect().set(`${queue.toKey(advanceJobId(promotion))}:lock`, 'another', 'PX', lockMs);
  const next = await ports.store.beginAdvance({ id: promotion }, {});
  expect('status' in next).toBe(false);
  await expect(ports.store.endAndDelay(key, delayed('one'))).rejects.toThrow('lock of the job was lost');
  expect(await queue.getDelayedCount()).toBe(0);
  expect((await ports.store.promotion(promotion))?.unfinished).toBe(2);
});

test('a job is taken as BullMQ takes it, and its advance is begun in the same step', async () => {
  const { ports, promotion, take, taken, delayed, queue, stored } = await advancing();
  const { key } = await take('one');
  const byBullMQ = await stored();
  await ports.store.endAndDelay(key, delayed('one'));
  await ports.queues.expediteAdvance(promotion);
  const { job, begun, limitedMs } = await taken('two');
  expect(await stored()).toEqual(byBullMQ);
  expect(job).toMatchObject({ id: advanceJobId(promotion), fields: { name: 'advance', ats: '2' } });
  expect(limitedMs).toBe(0);
  expect(await redis.connect().get(`${queue.toKey(advanceJobId(promotion))}:lock`)).toBe('two');
  if (begun === undefined || 'status' in begun) throw new Error('no advance');
  expect(begun.promotion).toMatchObject({ id: promotion, unfinished: 1 });
  // The advance before it is fenced off.
  expect(await ports.store.record(key, { kind: 'state', what: '' })).toMatchObject({ status: 'fenced' });
  expect(await ports.store.record(begun.key, { kind: 'state', what: '' })).toMatchObject({ status: 'ok' });
});

test('the end of an advance takes the next job with the same token, and begins its advance', async () => {
  const { ports, push, take, delayed, queue } = await advancing();
  const { key } = await take('one');
  const second = await push('v1.1.0');
  await ports.queues.enqueueAdvance(second);
  const next = await ports.store.endAndDelay(key, delayed('one'), { lockMs });
  expect(next?.job?.id).toBe(advanceJobId(second));
  // It waits for the promotion before it.
  expect(next?.begun).toMatchObject({ status: 'over', promotion: { id: second } });
  expect(await redis.connect().get(`${queue.toKey(advanceJobId(second))}:lock`)).toBe('one');
  // The second push has requested an advance of the first promotion, which is due at once.
  expect(await queue.getWaitingCount()).toBe(1);
});

test('without another job, or with records of a newer format, an advance only ends', async () => {
  const { ports, promotion, push, take, taken, delayed, queue } = await advancing();
  const first = await take('one');
  expect(await ports.store.endAndDelay(first.key, delayed('one'), { lockMs })).toBeUndefined();
  await ports.queues.expediteAdvance(promotion);
  const { begun, job } = await taken('two');
  if (begun === undefined || 'status' in begun || job === undefined) throw new Error('no advance');
  await ports.queues.enqueueAdvance(await push('v1.1.0'));
  await redis.connect().hset(keysUnder(ports.settings.prefix).format, 'number', recordFormat + 1);
  expect(await ports.store.endAndDelay(begun.key, delayed('two'), { lockMs })).toBeUndefined();
  expect(await queue.getDelayedCount()).toBe(1);
  expect(await queue.getActiveCount()).toBe(0);
  await expect(ports.store.takeAdvance(ports.queues.advanceKeys, { token: 'three', lockMs })).rejects.toThrow(
    `format ${recordFormat + 1}`,
  );
  expect(await queue.getWaitingCount()).toBe(1);
});

test.each([
  ['canary', {}],
  ['advance', { promotionId: 'of a newer version', form: 2 }],
])('a job %s with the data %j is taken without beginning an advance', async (name, data) => {
  const { take, taken, queue } = await advancing();
  await take('one');
  await queue.add(name, data, { jobId: 'other' });
  const { job, begun } = await taken('two');
  expect(job?.id).toBe('other');
  expect(begun).toBeUndefined();
});

test('an advance that was begun a while ago does nothing if another worker has begun it since', async () => {
  const { ports, clock, env, promotion, take } = await advancing();
  const { key } = await take('one');
  const record = await ports.store.promotion(promotion);
  if (record === undefined) throw new Error('no promotion');
  const begun = { advance: { key, promotion: record, mayBePaused: false }, at: clock.now() };
  await ports.store.beginAdvance({ id: promotion });
  await clock.advance(51);
  const before = env.wire.calls.length;
  const { signal } = new AbortController();
  await expect(advancePromotion(promotion, ports, signal, { begun })).rejects.toThrow('has taken over');
  expect(env.wire.calls.length).toBe(before);
});

test('an advance is enqueued as BullMQ adds a job, without the options that make the job twice as large', async () => {
  const { ports, promotion, take, delayed, queue, stored } = await advancing();
  const { key, job } = await take('one');
  await ports.store.endAndDelay(key, delayed('one'));
  const { opts, timestamp, ...ours } = await stored();
  const encoding = await redis.connect().object('ENCODING', queue.toKey(advanceJobId(promotion)));
  expect(['listpack', 'ziplist']).toContain(encoding);
  await job.remove();
  await queue.add(
    'advance',
    { promotionId: promotion },
    { jobId: advanceJobId(promotion), removeOnComplete: true },
  );
  const again = await take('two');
  await again.job.moveToDelayed(Date.now() + 30_000, 'two');
  const { opts: theirOpts, timestamp: theirTime, ...theirs } = await stored();
  expect(ours).toEqual(theirs);
  expect(Number(theirTime)).toBeGreaterThanOrEqual(Number(timestamp));
  expect(JSON.parse(opts ?? '')).toEqual({ removeOnComplete: true, removeOnFail: true });
  expect(theirOpts).toContain(advanceJobId(promotion));
});

test('an advance that has a job gets no second one, also while it runs', async () => {
  const { ports, promotion, take, queue } = await advancing();
  await ports.queues.enqueueAdvance(promotion);
  expect(await queue.getWaitingCount()).toBe(1);
  await take('one');
  await ports.queues.enqueueAdvance(promotion);
  expect(await queue.getWaitingCount()).toBe(0);
  expect(await queue.getActiveCount()).toBe(1);
});
