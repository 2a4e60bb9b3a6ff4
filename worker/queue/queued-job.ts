import { DelayedError, type Job, UnrecoverableError } from 'bullmq';

/** A job that a consumer has taken. */
export type QueuedJob<Data> = Pick<
  Job<Data>,
  | 'id'
  | 'name'
  | 'data'
  | 'timestamp'
  | 'attemptsMade'
  | 'stalledCounter'
  | 'opts'
  | 'updateData'
  | 'moveToDelayed'
  | 'promote'
>;

/** Says to a consumer that its job was delayed: neither done nor failed. */
export { DelayedError as JobDelayed };

/** Says to a consumer that its job must not be tried again. */
export { UnrecoverableError as JobGivenUp };

/**
 * Ends this processing of a job and schedules it again after `ms`. The only place that moves jobs: the lock is
 * lost with the move, and the error that reports it to BullMQ must follow. Uses no attempts.
 *
 * `isDueNow` is called after the move: a caller that requests the job later finds it delayed
 * and promotes it. A crash or an error before the answer leaves the request to the reconciler.
 */
export async function delayJob<Data>(
  job: Pick<QueuedJob<Data>, 'moveToDelayed' | 'promote'>,
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
