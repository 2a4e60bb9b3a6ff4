import { DelayedError, type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { IngestContext } from '../ingest/ingest-push.ts';
import { ingestPush } from '../ingest/ingest-push.ts';
import type { PushEvent } from '../receiver/push-event.ts';
import type { Reporter } from '../report/create-reporter.ts';
import { takeTurn } from '../run/take-turn.ts';
import { FencedOff, wordsOf } from '../run/turn.ts';
import { delayJob } from './delay-job.ts';
import { ingestRetryDelay, queueNames, type RunJob } from './work-queues.ts';

/** After an unforeseen fault of a turn or a report. */
const afterFaultMs = 5_000;

/** Starts what works off the queues. `close` waits for what is under way, at most the settings' time. */
export function startWorkers(
  redis: Redis,
  context: IngestContext,
  report: Reporter,
): { close(): Promise<void> } {
  const { engine } = context;
  const { settings, logger, random } = engine;
  const options = {
    connection: redis,
    prefix: settings.prefix,
    lockDuration: settings.lockMs,
    stalledInterval: settings.stalledMs,
    // BullMQ never forgets a stall: a run that polls for days would fail with its second crash. We count ourselves.
    maxStalledCount: 1_000_000,
  };

  const ingest = new Worker<PushEvent>(
    queueNames.ingest,
    async (job) => {
      const fate = await ingestPush(job.data, context);
      logger.info('A push was taken in.', {
        delivery_id: job.data.delivery,
        repository: job.data.repositoryName,
        ref: job.data.ref,
        fate,
      });
      return fate;
    },
    {
      ...options,
      concurrency: 10,
      settings: { backoffStrategy: (attempt) => ingestRetryDelay(attempt, random) },
    },
  );
  const run = new Worker<RunJob>(
    queueNames.run,
    (job, token, signal) =>
      again(job, token, () => takeTurn(job.data.runId, engine, signal ?? new AbortController().signal)),
    { ...options, concurrency: settings.concurrency },
  );
  const reports = new Worker<RunJob>(
    queueNames.report,
    (job, token) => again(job, token, () => report(job.data.runId)),
    { ...options, concurrency: 5 },
  );
  const all = [ingest, run, reports];

  for (const worker of all) {
    worker.on('error', (error) =>
      logger.warn('A queue has trouble.', { queue: worker.name, error: wordsOf(error) }),
    );
    worker.on('failed', (job, error) => {
      logger.warn('A job failed.', { queue: worker.name, job_id: job?.id, error: wordsOf(error) });
    });
    // Another worker takes the job over: ours must stop, or both would go on.
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'the lock was lost');
    });
  }

  /** Works off a job that comes again as often as its work says. */
  async function again(
    job: Job<RunJob>,
    token: string | undefined,
    work: () => Promise<number | undefined>,
  ): Promise<void> {
    let ms: number | undefined;
    try {
      ms = await work();
    } catch (error) {
      // Whoever has the run now has its job too.
      if (error instanceof FencedOff) return;
      if (error instanceof DelayedError) throw error;
      logger.warn('A turn broke off.', {
        queue: job.queueName,
        run_id: job.data.runId,
        error: wordsOf(error),
      });
      ms = afterFaultMs;
    }
    if (ms !== undefined) await delayJob(job, token, ms);
  }

  return {
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => resolve('late'), settings.stopWithinMs);
      const done = Promise.all(all.map((worker) => worker.close()));
      if ((await Promise.race([done, late])) === 'late') {
        logger.warn('Jobs did not end in time and are broken off; whoever comes next takes them up.');
        for (const worker of all) worker.cancelAllJobs('the worker stops');
        await Promise.race([done, Promise.all(all.map((worker) => worker.close(true)))]);
      }
      clearTimeout(timer);
    },
  };
}
