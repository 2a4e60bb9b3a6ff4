import { DelayedError, type Job } from 'bullmq';

/**
 * Ends this processing of a job and schedules it again after `ms`. The only place that moves jobs: the lock is
 * lost with the move, and the error that reports it to BullMQ must follow. Uses no attempts.
 *
 * `isDueNow` is called after the move: a caller that requests the job later finds it delayed
 * and promotes it. A crash or an error before the answer leaves the request to the reconciler.
 */
export async function delayJob<Data>(
  job: Job<Data>,
  token: string | undefined,
  ms: number,
  isDueNow?: () => Promise<boolean>,
): Promise<never> {
  // BullMQ uses the machine's clock.
  await job.moveToDelayed(Date.now() + ms, token);
  try {
    if (await isDueNow?.()) await job.promote();
  } catch {
    // It is not delayed any more, or the reconciler promotes it. The job is no longer ours, whatever happened here.
  }
  throw new DelayedError();
}
