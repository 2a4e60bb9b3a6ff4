import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { queueNames } from '../../../../worker/store/jobs/job-kinds.ts';
import { openQueues, type PromotionJob } from '../../../../worker/store/jobs/work-queues.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

test('the report of a state replaces the report of the state before it, unless that one is being sent', async () => {
  const [prefix, connection] = [`{q-${randomUUID()}}`, redis.connect()];
  const queues = openQueues(connection, prefix, () => undefined);
  const reports = new Queue<PromotionJob>(queueNames.report, { connection, prefix });
  onTestFinished(async () => {
    await queues.close();
    await reports.close();
  });
  const states = async () =>
    (await reports.getJobs()).map(({ data }) => data.seq).toSorted((a = 0, b = 0) => a - b);
  await queues.addReport('p1', 1, 60_000);
  await queues.addReport('p1', 2, 60_000);
  expect(await states()).toEqual([2]);
  await connection.set(reports.toKey('s-p1-2:lock'), 'a sender', 'PX', 60_000);
  await queues.addReport('p1', 3);
  expect(await states()).toEqual([2, 3]);
});
