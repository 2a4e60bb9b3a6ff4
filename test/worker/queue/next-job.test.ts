import { Queue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { createJobTaker } from '../../../worker/queue/next-job.ts';
import { QueueConsumer } from '../../../worker/queue/queue-consumer.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';

const redis = testRedis();

/** A queue, and consumers that look for a job by themselves only after ten minutes: a lost wake-up is a job that is not done. */
function consume({
  concurrency,
  consumers = 1,
}: {
  readonly concurrency: number;
  readonly consumers?: number;
}) {
  const queue = new Queue('work', { connection: redis.connect(), prefix: '{n}' });
  const done: string[] = [];
  /** Jobs whose end Redis has recorded. */
  const ended: (string | undefined)[] = [];
  /** What a job does; nothing by default. */
  const works = new Map<string, () => Promise<void>>();
  let asked = 0;
  let answered = 0;
  const all = Array.from({ length: consumers }, () => {
    const taker = createJobTaker(redis.connect(), { prefix: '{n}', queue: 'work', lockMs: 30_000 });
    const consumer = new QueueConsumer(
      'work',
      async ({ id = '' }) => {
        await works.get(id)?.();
        done.push(id);
      },
      { connection: redis.connect(), prefix: '{n}', concurrency, drainDelay: 600 },
      { clock: systemClock, onAnswer: () => undefined, standsBy: () => false },
      {
        ...taker,
        async take(token) {
          asked += 1;
          const taken = await taker.take(token);
          answered += 1;
          return taken;
        },
      },
    );
    consumer.on('completed', ({ id }) => ended.push(id));
    return consumer;
  });
  onTestFinished(async () => {
    await Promise.all(all.map((consumer) => consumer.close()));
    await queue.close();
    await redis.empty();
  });
  const add = (jobId: string, delay = 0) => queue.add('job', {}, { jobId, delay });
  return { queue, add, done, ended, works, asked: () => asked, answered: () => answered };
}

test.for([1, 5])(
  'a consumer of %i jobs at a time asks Redis once for each job that comes alone',
  async (concurrency) => {
    const { add, ended, asked, answered } = consume({ concurrency });
    // A job that is added before Redis has answered may be that answer, here and at the end of each job.
    await eventually(async () => answered()).toBe(1);
    for (const [i, id] of ['first', 'second', 'third'].entries()) {
      await add(id);
      await eventually(async () => ended).toContain(id);
      expect(asked()).toBe(2 + i);
    }
  },
);

test('a job that is added during the last one is taken at once', async () => {
  const { add, done, works } = consume({ concurrency: 2 });
  const second = Promise.withResolvers<void>();
  works.set('first', async () => {
    await add('second');
    await second.promise;
  });
  works.set('second', async () => second.resolve());
  await add('first');
  await eventually(async () => done.length).toBe(2);
  expect(done).toEqual(['second', 'first']);
});

test('a job that becomes due after the last one is taken then', async () => {
  const { queue, add, done, ended } = consume({ concurrency: 2 });
  await add('later', 200);
  await add('now');
  await eventually(async () => ended.length).toBe(2);
  // On a busy machine it can be due before the first job is taken.
  expect(done.toSorted()).toEqual(['later', 'now']);
  const { timestamp = 0, processedOn = 0 } = (await queue.getJob('later')) ?? {};
  expect(processedOn).toBeGreaterThanOrEqual(timestamp + 200);
});

test('consumers of one queue do each of many jobs once', async () => {
  const { add, done } = consume({ concurrency: 3, consumers: 3 });
  const ids = Array.from({ length: 200 }, (_, i) => `job-${i}`);
  for (let i = 0; i < ids.length; i += 7)
    await Promise.all(ids.slice(i, i + 7).map((id, place) => add(id, place % 3 === 0 ? 5 : 0)));
  await eventually(async () => new Set(done).size).toBe(ids.length);
  expect(done.toSorted()).toEqual(ids.toSorted());
});
