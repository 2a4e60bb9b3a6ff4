import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { advancePromotion } from '../promotion/advance-promotion.ts';
import type { Policy, Telemetry, Timing } from '../promotion/context/ports.ts';
import { takeJob } from '../promotion/context/take-job.ts';
import type { IncomingEvent } from '../records/incoming-event.ts';
import type { Reporter } from '../reporting/github/create-reporter.ts';
import type { Canaries } from '../store/jobs/canaries.ts';
import { type QueueName, queueNames } from '../store/jobs/job-kinds.ts';
import { createQuarantine } from '../store/jobs/quarantine.ts';
import { createUnfinishedTries } from '../store/jobs/unfinished-tries.ts';
import { ingestRetryDelay, type PromotionJob } from '../store/jobs/work-queues.ts';
import { createAdvanceTaker } from './advance-taker.ts';
import { type EventContext, ingestEvent } from './ingest-event.ts';
import { createJobTaker } from '../queue/next-job.ts';
import { createLateness } from './poll-lateness.ts';
import { processRepeatedly, type TakenJob } from './process-repeatedly.ts';
import { type AnyConsumer, QueueConsumer } from '../queue/queue-consumer.ts';

interface WorkerParts {
  readonly report: Reporter;
  readonly canaries: Canaries;
  /** Connection for commands that do not block. */
  readonly records: Redis;
}

interface Consumers {
  /** Takes over the jobs of workers that did not renew their locks; call it every `stalledMs`. */
  checkStalled(): Promise<void>;
  /** Waits for running jobs, at most as long as the settings say. */
  close(): Promise<void>;
}

/** Starts the queue consumers. `redis` is a dedicated connection: BullMQ blocks it. */
export function consumeQueues(
  redis: Redis,
  context: EventContext,
  { report, canaries, records }: WorkerParts,
): Consumers {
  const { ports } = context;
  const { settings, random } = ports;
  const crashMs = settings.lockMs + 2 * settings.stalledMs;
  const quarantine = createQuarantine(records, settings.prefix, crashMs);
  const jobs = { ports, canaries, quarantine, tries: createUnfinishedTries(records, settings.prefix) };
  const lateness = createLateness(ports);
  const taker = createAdvanceTaker(ports);
  const repeat = (job: TakenJob, work: Parameters<typeof processRepeatedly>[1]): Promise<void> =>
    processRepeatedly(job, work, { jobs, lateness, taker });
  const options = {
    connection: redis,
    prefix: settings.prefix,
    lockDuration: settings.lockMs,
    // All workers share the checks: Redis refuses one that comes sooner than this after the last. Shorter than the interval between
    // checks, because a late one must not make it refuse the next.
    stalledInterval: Math.round(0.6 * settings.stalledMs),
    // BullMQ never resets its count of stalls: a promotion that polls for days would fail with its second
    // crash. We count crashes ourselves.
    maxStalledCount: 1_000_000,
  };

  const attempts = (queue: QueueName) => ({
    clock: ports.clock,
    onAnswer: () => ports.failures.worked(workOf(queue)),
    standsBy: () => {
      const standsBy = ports.format.newer !== undefined;
      // It takes no canary, and must not count as stuck.
      if (standsBy) canaries.worked(queue);
      return standsBy;
    },
  });

  const takerOf = (queue: QueueName) =>
    createJobTaker(records, { prefix: settings.prefix, queue: queueNames[queue], lockMs: settings.lockMs });

  const ingest = new QueueConsumer<IncomingEvent>(
    queueNames.ingest,
    (job, token) => takeJob('ingest', job, token, () => ingestEvent(job, token, context), jobs),
    {
      ...options,
      concurrency: 10,
      settings: { backoffStrategy: (attempt) => ingestRetryDelay(attempt, random) },
    },
    attempts(queueNames.ingest),
    takerOf('ingest'),
  );
  const promotion = new QueueConsumer<PromotionJob>(
    queueNames.promotion,
    // Without a default value: BullMQ passes the signal only to a function of three parameters.
    (job, token, signal) =>
      repeat({ queue: 'promotion', job, token }, (delay) => {
        lateness.observe(job.data.promotionId);
        return advancePromotion(job.data.promotionId, ports, signal ?? new AbortController().signal, {
          quarantine,
          delay,
          begun: taker.begunWith(job.id ?? ''),
        });
      }),
    { ...options, concurrency: settings.concurrency },
    attempts(queueNames.promotion),
    taker,
  );
  const reports = new QueueConsumer<PromotionJob>(
    queueNames.report,
    (job, token) => repeat({ queue: 'report', job, token }, () => report(job.data.promotionId, job.data.seq)),
    { ...options, concurrency: 5 },
    attempts(queueNames.report),
    takerOf('report'),
  );
  const all = [ingest, promotion, reports];

  for (const worker of all) watchWorker(worker, ports);

  return {
    async checkStalled() {
      await Promise.all(all.map((worker) => worker.checkStalled()));
    },
    close: () => closeAll(all, ports, records),
  };
}

const workOf = (queue: string): string => `queue ${queue}`;

/**
 * Waits for running jobs, then cancels them. A cancelled job may still have to record the answer to a call, so it is waited for
 * while Redis answers. Without Redis a job cannot record anything; another worker continues it.
 */
async function closeAll(
  all: readonly AnyConsumer[],
  { clock, logger, settings }: Pick<Policy, 'settings'> & Pick<Telemetry, 'logger'> & Pick<Timing, 'clock'>,
  records: Redis,
): Promise<void> {
  const closed = new AbortController();
  const done = Promise.all(all.map((worker) => worker.close())).finally(() => closed.abort());
  await Promise.race([done, clock.sleep(settings.stopWithinMs, closed.signal).catch(() => undefined)]);
  if (closed.signal.aborted) return done.then(() => undefined);
  logger.warn(
    'The queues did not close in time, so the jobs that still run were cancelled. Another worker continues them.',
  );
  for (const worker of all) worker.cancelAllJobs('The worker is stopping.');
  const waited = untilSilent(records, settings.redisWithinMs, { clock, signal: closed.signal });
  if ((await Promise.race([done, waited])) !== 'silent') return;
  logger.warn('Redis does not answer, so the worker stops without it.');
  await Promise.all(all.map((worker) => worker.abandonRedis()));
}

/** Resolves with 'silent' once Redis has not answered a PING for `ms`; with 'aborted' as soon as the signal aborts. */
async function untilSilent(
  redis: Redis,
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<'silent' | 'aborted'> {
  while (!signal.aborted) {
    let isAnswered = false;
    const answered = (): void => void (isAnswered = true);
    // An error is an answer too.
    void redis.ping().then(answered, answered);
    await clock.sleep(ms, signal).catch(() => undefined);
    if ((!isAnswered || redis.status === 'end') && !signal.aborted) return 'silent';
  }
  return 'aborted';
}

/** Logs and counts what happens to a queue’s jobs. */
function watchWorker(
  worker: AnyConsumer,
  { logger, metrics, failures }: Pick<Telemetry, 'failures' | 'logger' | 'metrics'>,
): void {
  worker.on('error', (error) =>
    failures.failed(workOf(worker.name), 'A queue failed.', { queue: worker.name, error: messageOf(error) }),
  );
  worker.on('failed', (job, error) => {
    logger.warn('A job failed.', { queue: worker.name, job_id: job?.id, error: messageOf(error) });
  });
  worker.on('stalled', () => metrics.recovered.inc({ what: 'stalled-job' }));
  // Another worker takes the job over: ours must stop, or both would continue.
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, 'The lock was lost.');
  });
}
