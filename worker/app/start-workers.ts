import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Canaries } from '../store/canaries.ts';
import { approveByComment } from '../intake/ingest/approve-by-comment.ts';
import { type IngestContext, ingestPush } from '../intake/ingest/ingest-push.ts';
import type { CommentEvent } from '../records/comment-event.ts';
import type { DeliverySubject } from '../records/delivery-subject.ts';
import type { IngestResult } from '../records/ingest-result.ts';
import type { PushEvent } from '../records/push-event.ts';
import type { Reporter } from '../reporting/github/create-reporter.ts';
import { advancePromotion } from '../promotion/advance-promotion.ts';
import { FencedOff, messageOf } from '../promotion/advance.ts';
import { delayJob } from '../promotion/delay-job.ts';
import type { QueueName } from '../store/job-kinds.ts';
import { createLateness } from './poll-lateness.ts';
import { createQuarantine } from '../store/quarantine.ts';
import { giveUp, takeJob } from '../promotion/take-job.ts';
import { createUnfinishedTries } from '../store/unfinished-tries.ts';
import { queueNames } from '../store/job-kinds.ts';
import { ingestRetryDelay, type PromotionJob } from '../store/work-queues.ts';

/** Delay after an unexpected error of an advance or a report. */
const afterFaultMs = 5_000;

interface WorkerParts {
  readonly report: Reporter;
  readonly canaries: Canaries;
  /** Connection for commands that do not block. */
  readonly records: Redis;
}

/**
 * Starts the queue consumers. `redis` is a dedicated connection: BullMQ blocks it. `close` waits for running
 * jobs, at most as long as the settings say.
 */
export function startWorkers(
  redis: Redis,
  context: IngestContext,
  { report, canaries, records }: WorkerParts,
): { close(): Promise<void> } {
  const { engine } = context;
  const { settings, logger, random } = engine;
  const crashMs = settings.lockMs + 2 * settings.stalledMs;
  const quarantine = createQuarantine(records, settings.prefix, crashMs);
  const jobs = { engine, canaries, quarantine, tries: createUnfinishedTries(records, settings.prefix) };
  const lateness = createLateness(engine);
  const options = {
    connection: redis,
    prefix: settings.prefix,
    lockDuration: settings.lockMs,
    stalledInterval: settings.stalledMs,
    // BullMQ never resets its count of stalls: a promotion that polls for days would fail with its second
    // crash. We count crashes ourselves.
    maxStalledCount: 1_000_000,
  };

  const ingest = new Worker<PushEvent | CommentEvent>(
    queueNames.ingest,
    (job, token) => takeJob('ingest', job, token, () => ingestEvent(job, token), jobs),
    {
      ...options,
      concurrency: 10,
      settings: { backoffStrategy: (attempt) => ingestRetryDelay(attempt, random) },
    },
  );
  const promotion = new Worker<PromotionJob>(
    queueNames.promotion,
    (job, token, signal = new AbortController().signal) =>
      processRepeatedly('promotion', job, token, () => {
        lateness.observe(job.data.promotionId);
        return advancePromotion(job.data.promotionId, engine, signal, quarantine);
      }),
    { ...options, concurrency: settings.concurrency },
  );
  const reports = new Worker<PromotionJob>(
    queueNames.report,
    (job, token) => processRepeatedly('report', job, token, () => report(job.data.promotionId)),
    { ...options, concurrency: 5 },
  );
  const all = [ingest, promotion, reports];

  for (const worker of all) {
    worker.on('error', (error) =>
      logger.warn('A queue failed.', { queue: worker.name, error: messageOf(error) }),
    );
    worker.on('failed', (job, error) => {
      logger.warn('A job failed.', { queue: worker.name, job_id: job?.id, error: messageOf(error) });
    });
    worker.on('stalled', () => engine.metrics.recovered.inc({ what: 'stalled-job' }));
    // Another worker takes the job over: ours must stop, or both would continue.
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'The lock was lost.');
    });
  }

  async function ingestEvent(job: Job<PushEvent | CommentEvent>, token: string | undefined): Promise<string> {
    const event = job.data;
    const { delivery, repositoryName, receivedAt } = event;
    const what = 'command' in event ? { comment: event.comment } : { ref: event.ref };
    const subject = {
      repository: repositoryName,
      ...('command' in event ? { pull: event.pull } : { ref: event.ref }),
    };
    try {
      const result =
        'command' in event
          ? { status: 'done' as const, text: await approveByComment(event, context) }
          : await engine.spans.ingest(event, (trace) => ingestPush(event, { ...context, trace }));
      if (result.status === 'waits') return await waitFor(result, job, token, subject);
      const { text, noPromotion } = result;
      engine.deliveries.ingestResult(delivery, text, subject, noPromotion);
      if (noPromotion !== undefined) engine.metrics.pushesWithoutPromotion.inc({ reason: noPromotion });
      engine.metrics.ingestLag.observe(Math.max(0, engine.clock.now() - receivedAt) / 1_000);
      logger.info('Event ingested.', {
        delivery_id: delivery,
        repository: repositoryName,
        ...what,
        result: text,
        reason: noPromotion,
      });
      return text;
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      if (job.attemptsMade === 0)
        engine.deliveries.ingestResult(delivery, `not ingested yet: ${messageOf(error)}; retrying`, subject);
      // Before the job fails for good: afterwards no record of it is left.
      if (job.attemptsMade + 1 >= (job.opts.attempts ?? 1)) {
        const cause = messageOf(error);
        const id = `ingest-${job.id ?? ''}`;
        engine.deliveries.ingestResult(delivery, `given up: ${cause}`, subject, 'given-up');
        await giveUp(engine, { queue: 'ingest', id, kind: 'exhausted', cause, data: job.data });
        if (!('command' in event)) {
          engine.metrics.pushesWithoutPromotion.inc({ reason: 'given-up' });
          await context.order.leave(event);
        }
      }
      throw error;
    }
  }

  /** Ingests the push again later. What it waits for is in its job, so that any worker continues the wait. */
  async function waitFor(
    { text, ms, event }: Extract<IngestResult, { status: 'waits' }>,
    job: Job<PushEvent | CommentEvent>,
    token: string | undefined,
    subject: DeliverySubject,
  ): Promise<never> {
    const before = 'command' in job.data ? undefined : job.data.waits;
    // Not each time: the list of deliveries is short.
    if (Object.keys(event.waits ?? {}).length > Object.keys(before ?? {}).length)
      engine.deliveries.ingestResult(event.delivery, `not ingested yet: ${text}`, subject);
    // Before the move: the lock is lost with it.
    await job.updateData(event);
    const isTurn = event.waits?.turnSince === undefined ? undefined : () => context.order.isFirst(event);
    return delayJob(job, token, ms, isTurn);
  }

  /** Processes a job that is delayed again for as long as its work asks. */
  async function processRepeatedly(
    queue: QueueName,
    job: Job<PromotionJob>,
    token: string | undefined,
    work: () => Promise<number | undefined>,
  ): Promise<void> {
    let ms: number | undefined;
    try {
      ms = await takeJob(queue, job, token, work, jobs);
    } catch (error) {
      // The worker that has the promotion now has its job too.
      if (error instanceof FencedOff) return;
      if (error instanceof DelayedError) throw error;
      if (error instanceof UnrecoverableError) {
        // Otherwise the reconciler would recreate the job, and it would keep killing workers.
        await engine.store.giveUpReport(job.data.promotionId);
        throw error;
      }
      logger.warn('A job ended with an error and is retried.', {
        queue,
        promotion_id: job.data.promotionId,
        error: messageOf(error),
      });
      ms = afterFaultMs;
    }
    if (ms === undefined) return;
    if (queue === 'promotion') lateness.plan(job.data.promotionId, ms);
    const { promotionId } = job.data;
    await delayJob(job, token, ms, async () =>
      queue === 'promotion' ? engine.store.isAdvanceRequested(promotionId) : false,
    );
  }

  return {
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => resolve('late'), settings.stopWithinMs);
      const done = Promise.all(all.map((worker) => worker.close()));
      if ((await Promise.race([done, late])) === 'late') {
        logger.warn('Jobs did not end in time and were cancelled; another worker continues them.');
        for (const worker of all) worker.cancelAllJobs('The worker is stopping.');
        await Promise.race([done, Promise.all(all.map((worker) => worker.close(true)))]);
      }
      clearTimeout(timer);
    },
  };
}
