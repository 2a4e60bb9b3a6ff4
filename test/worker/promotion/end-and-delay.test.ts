import { Queue, Worker } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { keysUnder } from '../../../worker/store/keys.ts';
import { advanceJobId, queueNames } from '../../../worker/store/job-kinds.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane } from './gates/one-lane.ts';

const redis = testRedis();
const lockMs = 60_000;

/** A promotion that is being advanced by a job, which this test has taken as a consumer does. */
async function advancing() {
  const { engine, push } = await oneLane(redis);
  const promotion = await push('v1.0.0');
  const connection = redis.connect();
  const { prefix } = engine.settings;
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
  await engine.queues.enqueueAdvance(promotion);
  const take = async (token: string) => {
    const job = await consumer.getNextJob(token, { block: false });
    const begun = await engine.store.beginAdvance({ id: promotion }, {});
    if (job === undefined || 'status' in begun) throw new Error('no advance');
    return { job, key: begun.key };
  };
  const delayed = (token: string, delay = 30_000) => ({
    queuePrefix: engine.queues.advanceKeys,
    job: advanceJobId(promotion),
    token,
    delay,
  });
  const promote = () => redis.connect().hset(keysUnder(prefix).promotion(promotion), 'advanceRequested', '1');
  /** The job as BullMQ keeps it, without what tells its attempts apart. */
  const stored = async () => {
    const { processedOn, ats, ...fields } = await redis
      .connect()
      .hgetall(queue.toKey(advanceJobId(promotion)));
    expect([processedOn, ats]).not.toContain(undefined);
    return fields;
  };
  return { engine, promotion, take, delayed, queue, promote, stored };
}

test('an advance that ends delays its job as BullMQ does, and counts as ended', async () => {
  const { engine, promotion, take, delayed, queue, stored } = await advancing();
  const { key, job } = await take('one');
  const before = Date.now();
  await engine.store.endAndDelay(key, delayed('one'));
  expect((await engine.store.promotion(promotion))?.unfinished).toBe(0);
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

test('a promotion whose advance was requested since it began is due at once', async () => {
  const { engine, take, delayed, queue, promote } = await advancing();
  const { key } = await take('one');
  await promote();
  await engine.store.endAndDelay(key, delayed('one'));
  const [, score] = await redis.connect().zrange(queue.toKey('delayed'), '0', '0', 'WITHSCORES');
  expect(Number(score) / 0x1000).toBeLessThanOrEqual(Date.now() + 1);
});

test('a worker that lost its job cannot delay it, nor end the advance of the next one', async () => {
  const { engine, promotion, take, delayed, queue } = await advancing();
  const { key } = await take('one');
  await redis.connect().set(`${queue.toKey(advanceJobId(promotion))}:lock`, 'another', 'PX', lockMs);
  const next = await engine.store.beginAdvance({ id: promotion }, {});
  expect('status' in next).toBe(false);
  await expect(engine.store.endAndDelay(key, delayed('one'))).rejects.toThrow('lock of the job was lost');
  expect(await queue.getDelayedCount()).toBe(0);
  expect((await engine.store.promotion(promotion))?.unfinished).toBe(2);
});
