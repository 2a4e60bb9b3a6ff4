import { DelayedError, type Job } from 'bullmq';

/**
 * Ends this processing of a job and has it come again after `ms`. The only place that moves jobs: the data is stored
 * before the move, because the lock is gone after it, and the error that tells BullMQ so is thrown in the same breath.
 * Attempts are not used up.
 */
export async function delayJob<Data>(
  job: Job<Data>,
  token: string | undefined,
  ms: number,
  data?: Data,
): Promise<never> {
  if (data !== undefined) await job.updateData(data);
  // BullMQ's own clock is the machine's.
  await job.moveToDelayed(Date.now() + ms, token);
  throw new DelayedError();
}
