import { Queue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { QueueConsumer } from '../../../worker/queue/queue-consumer.ts';
import { manualClock } from '../../environment/clock.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';

const redis = testRedis();

/** A consumer of a queue with a job, in a Redis that is full. */
async function consume() {
  const clock = manualClock();
  const [pauses, done] = [[] as number[], [] as string[]];
  const queue = new Queue('work', { connection: redis.connect() });
  await redis.connect().set('room', 'x'.repeat(1_000));
  await queue.add('job', {}, { jobId: 'first' });
  const setMemory = (bytes: string) => redis.connect('probe').config('SET', 'maxmemory', bytes);
  await setMemory('1');
  let answers = 0;
  const sleep: typeof clock.sleep = (ms, signal) => {
    pauses.push(ms);
    return clock.sleep(ms, signal);
  };
  const consumer = new QueueConsumer(
    'work',
    async ({ id = '' }) => void done.push(id),
    { connection: redis.connect() },
    { clock: { ...clock, sleep }, onAnswer: () => void (answers += 1), standsBy: () => false },
  );
  consumer.on('error', () => undefined);
  onTestFinished(async () => {
    await setMemory('0');
    await consumer.close();
    await queue.close();
    await redis.empty();
  });
  return { clock, consumer, pauses, done, setMemory, answers: () => answers };
}

test('a consumer that Redis refuses asks again only after a pause, which grows, and then does its work', async () => {
  const { clock, pauses, done, setMemory, answers } = await consume();
  const expected = [100, 200, 400, 800, 1_500, 1_500];
  for (const [i, pause] of expected.entries()) {
    await clock.asleep();
    expect(pauses).toEqual(expected.slice(0, i + 1));
    expect([answers(), done]).toEqual([0, []]);
    if (i === expected.length - 1) await setMemory('0');
    await clock.advance(pause);
  }
  await eventually(async () => done).toEqual(['first']);
  expect(answers()).toBeGreaterThan(0);
  expect(pauses).toEqual(expected);
});

test('a consumer that is closed does not wait for the end of its pause', async () => {
  const { clock, consumer } = await consume();
  await clock.asleep();
  await consumer.close();
  expect(clock.sleepers).toBe(0);
});

test('a consumer that stands by takes no job until it may continue', async () => {
  const clock = manualClock();
  const done: string[] = [];
  let standsBy = true;
  const queue = new Queue('other', { connection: redis.connect() });
  await queue.add('job', {}, { jobId: 'first' });
  const consumer = new QueueConsumer(
    'other',
    async ({ id = '' }) => void done.push(id),
    { connection: redis.connect() },
    { clock, onAnswer: () => undefined, standsBy: () => standsBy },
  );
  onTestFinished(async () => {
    await consumer.close();
    await queue.close();
    await redis.empty();
  });
  for (let i = 0; i < 3; i += 1) {
    await clock.asleep();
    expect([done, await queue.getWaitingCount()]).toEqual([[], 1]);
    standsBy = i < 2;
    await clock.advance(500);
  }
  await eventually(async () => done).toEqual(['first']);
});
