import { DelayedError } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { createAdvanceTaker } from '../../../worker/app/advance-taker.ts';
import { QueueConsumer } from '../../../worker/queue/queue-consumer.ts';
import { queueNames } from '../../../worker/store/jobs/job-kinds.ts';
import type { PromotionJob } from '../../../worker/store/jobs/work-queues.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { oneLane } from '../promotion/gates/one-lane.ts';

const redis = testRedis();
const delayMs = 3_600_000;

/**
 * A consumer of one job at a time, for a promotion that has its lane and one that waits for it. It is closed before the first
 * job ends, or while it ends and the next one is taken.
 */
async function consume({ closes }: { readonly closes?: 'before the end' | 'during the end' } = {}) {
  const { ports, push } = await oneLane(redis);
  const first = await push('v1.0.0');
  const second = await push('v1.1.0');
  await ports.queues.enqueueAdvance(second);
  const taker = createAdvanceTaker(ports);
  const processed: string[] = [];
  const closed = Promise.withResolvers<void>();
  const close = (): void => void consumer.close().then(closed.resolve, closed.reject);
  const consumer = new QueueConsumer<PromotionJob>(
    queueNames.promotion,
    async ({ id = '', data }, token = '') => {
      processed.push(data.promotionId);
      const begun = taker.begunWith(id)?.advance;
      // The one that waits for its lane needs no further advance.
      if (begun === undefined || 'status' in begun) return;
      if (closes === 'before the end') close();
      const ending = taker.endAndDelay(begun.key, { job: id, token, delay: delayMs });
      if (closes === 'during the end') close();
      await ending;
      throw new DelayedError();
    },
    { connection: redis.connect(), prefix: ports.settings.prefix, concurrency: 1 },
    { clock: ports.clock, onAnswer: () => undefined, standsBy: () => false },
    taker,
  );
  onTestFinished(() => consumer.close());
  /** The promotions that have a job. */
  const jobs = async () => {
    const missing = await ports.queues.withoutAdvanceJob([first, second]);
    return [first, second].filter((id) => !missing.includes(id));
  };
  const isLocked = async (id: string) =>
    (await redis.connect().exists(`${ports.queues.advanceJobKeys}${id}:lock`)) === 1;
  return { first, second, processed, closed: closed.promise, jobs, isLocked };
}

test('a consumer processes the job that it took with the end of the one before', async () => {
  const { first, second, processed, jobs } = await consume();
  await eventually(jobs).toEqual([first]);
  expect(processed).toEqual([first, second]);
});

test('a consumer that is closed during a job takes no other one', async () => {
  const { first, second, processed, closed, jobs, isLocked } = await consume({ closes: 'before the end' });
  await closed;
  expect(processed).toEqual([first]);
  expect(await jobs()).toEqual([first, second]);
  expect(await isLocked(second)).toBe(false);
});

test('a consumer that is closed while it takes the next job processes that job', async () => {
  const { first, second, processed, closed, jobs } = await consume({ closes: 'during the end' });
  await closed;
  expect(processed).toEqual([first, second]);
  expect(await jobs()).toEqual([first]);
});
