import { messageOf } from '../../lib/core/errors/message-of.ts';
import { FencedOff } from '../promotion/advance/advance.ts';
import type { DelayAdvance } from '../promotion/advance-promotion.ts';
import { delayJob, JobDelayed, JobGivenUp, type QueuedJob } from '../queue/queued-job.ts';
import { type JobContext, takeJob } from '../promotion/context/take-job.ts';
import type { Records, Telemetry } from '../promotion/context/ports.ts';
import type { LaneReads } from '../store/lanes/lane-reads.ts';
import type { Reporting } from '../store/reports/reporting.ts';
import type { QueueName } from '../store/jobs/job-kinds.ts';
import type { PromotionJob } from '../store/jobs/work-queues.ts';
import type { AdvanceTaker } from './advance-taker.ts';
import type { Lateness } from './poll-lateness.ts';

/** Delay after an unexpected error of an advance or a report. */
const afterFaultMs = 5_000;

export interface TakenJob {
  readonly queue: QueueName;
  readonly job: QueuedJob<PromotionJob>;
  readonly token: string | undefined;
}

interface RepeatContext {
  readonly jobs: JobContext & {
    readonly ports: Records<LaneReads & Reporting> & Pick<Telemetry, 'failures'>;
  };
  readonly lateness: Lateness;
  readonly taker: AdvanceTaker;
}

/** One for all: an error collects a stack trace, and every poll of an execution ends with this one. */
const delayed = new JobDelayed();

/** Processes a job, and delays it again each time its work asks for that. */
export async function processRepeatedly(
  { queue, job, token }: TakenJob,
  work: (delay: DelayAdvance | undefined) => Promise<number | undefined>,
  { jobs, lateness, taker }: RepeatContext,
): Promise<void> {
  const { ports } = jobs;
  const { promotionId } = job.data;
  const name = `${queue} ${promotionId}`;
  const delay: DelayAdvance = async (key, forMs) => {
    await taker.endAndDelay(key, { job: job.id ?? '', token: token ?? '', delay: forMs });
    ports.failures.worked(name);
    lateness.task(promotionId, forMs);
    throw delayed;
  };
  let ms: number | undefined;
  try {
    ms = await takeJob(queue, job, token, () => work(token === undefined ? undefined : delay), jobs);
    ports.failures.worked(name);
  } catch (error) {
    // The worker that has the promotion now has its job too.
    if (error instanceof FencedOff) return;
    if (error instanceof JobDelayed) throw error;
    if (error instanceof JobGivenUp) {
      // Otherwise the reconciler would recreate the job, and it would keep killing workers.
      await ports.store.giveUpReport(promotionId);
      throw error;
    }
    ports.failures.failed(name, 'A job ended with an error and is retried.', {
      queue,
      promotion_id: promotionId,
      error: messageOf(error),
    });
    ms = afterFaultMs;
  }
  if (ms === undefined) return;
  if (queue === 'promotion') lateness.task(promotionId, ms);
  await delayJob(job, token, ms, async () =>
    queue === 'promotion' ? ports.store.isAdvanceRequested(promotionId) : false,
  );
}
