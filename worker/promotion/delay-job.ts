import { DelayedError, type Job } from 'bullmq';

/**
 * Ends this processing of a job and schedules it again after `ms`. The only place that moves jobs: the data is
 * stored before the move, because the lock is lost after it, and the error that reports the move to BullMQ is
 * thrown directly after it. Uses no attempts.
 */
export async function delayJob<Data>(
  job: Job<Data>,
  token: string | undefined,
  ms: number,
  data?: Data,
): Promise<never> {
  if (data !== undefined) await job.updateData(data);
  // BullMQ uses the machine's clock.
  await job.moveToDelayed(Date.now() + ms, token);
  throw new DelayedError();
}
