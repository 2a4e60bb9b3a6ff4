import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { incomingId, incomingName, incomingOptions } from './incoming-job.ts';
import { canaryId, canaryName, type QueueName, queueNames } from './job-kinds.ts';
import type { CommentEvent } from '../records/comment-event.ts';
import type { PushEvent } from '../records/push-event.ts';

export interface RunJob {
  readonly runId: string;
}

/** Puts work where a worker will find it. Every add has an id of its own work: adding twice is adding once. */
export interface WorkQueues {
  /** Has a push or a comment's command taken in. */
  addIncoming(event: PushEvent | CommentEvent): Promise<void>;
  /** A key of the queue that takes them in, by BullMQ's name of it. */
  ingestKey(type: string): string;
  addTurn(runId: string): Promise<void>;
  /** Has the run's next turn come now, where it waits for a later one. */
  hurryTurn(runId: string): Promise<void>;
  /** Those of the runs that have no turn to come. */
  withoutTurn(runIds: readonly string[]): Promise<readonly string[]>;
  /** What the key of a run's turn to come begins with; its id follows. */
  readonly turnKeys: string;
  addReport(runId: string, seq: number, delayMs?: number): Promise<void>;
  /** Sends a queue a job that only its own worker takes. */
  addCanary(queue: QueueName, worker: string): Promise<void>;
  /** Has a push taken in that was given up. */
  replayPush(event: PushEvent | CommentEvent): Promise<void>;
  /** How many jobs each queue holds, by state. */
  counts(): Promise<readonly { readonly queue: QueueName; readonly state: string; readonly jobs: number }[]>;
  close(): Promise<void>;
}

/** The longest wait between two tries to take in a push. */
const longestRetryMs = 60_000;

/** Milliseconds until a push is tried again: a second, doubled each time up to a minute, ± 25 %. */
export function ingestRetryDelay(attempt: number, random: () => number): number {
  return Math.round(Math.min(1_000 * 2 ** Math.min(attempt - 1, 10), longestRetryMs) * (0.75 + random() / 2));
}

/**
 * `redis` is a producer's connection: an add fails soon instead of waiting for a Redis that is gone. `onError` gets
 * what goes wrong between adds.
 */
export function openQueues(redis: Redis, prefix: string, onError: (error: Error) => void): WorkQueues {
  // BullMQ would otherwise wait for the connection without limit.
  const options = {
    connection: redis,
    prefix,
    skipWaitingForReady: true,
    streams: { events: { maxLen: 1_000 } },
  };
  const ingest = new Queue<PushEvent | CommentEvent | object>(queueNames.ingest, options);
  const run = new Queue<RunJob | object>(queueNames.run, options);
  const report = new Queue<RunJob | object>(queueNames.report, options);
  const byName = { ingest, run, report };
  const all = [ingest, run, report];
  for (const queue of all) queue.on('error', onError);

  const addIncoming = async (event: PushEvent | CommentEvent): Promise<void> => {
    await ingest.add(incomingName(event), event, { jobId: incomingId(event), ...incomingOptions });
  };
  const turnId = (runId: string): string => `r-${runId}`;
  // Gone when over: what happened stands in the run record, and the same id must be free again.
  const fleeting = { removeOnComplete: true, removeOnFail: true };

  return {
    addIncoming,
    ingestKey: (type) => ingest.toKey(type),
    async addTurn(runId) {
      await run.add('turn', { runId }, { jobId: turnId(runId), ...fleeting });
    },
    async hurryTurn(runId) {
      const job = await run.getJob(turnId(runId));
      if (job === undefined)
        return void (await run.add('turn', { runId }, { jobId: turnId(runId), ...fleeting }));
      // Not delayed: it is being done or about to be.
      await job.promote().catch(() => undefined);
    },
    async withoutTurn(runIds) {
      const found = await Promise.all(runIds.map((id) => redis.exists(run.toKey(turnId(id)))));
      return runIds.filter((_, i) => found[i] === 0);
    },
    turnKeys: run.toKey(turnId('')),
    async addReport(runId, seq, delayMs = 0) {
      await report.add('report', { runId }, { jobId: `s-${runId}-${seq}`, delay: delayMs, ...fleeting });
    },
    async addCanary(queue, worker) {
      await byName[queue].add(canaryName, {}, { jobId: canaryId(worker), ...fleeting });
    },
    async replayPush(event) {
      // The job that failed has the id still.
      await ingest.remove(incomingId(event));
      await addIncoming(event);
    },
    async counts() {
      const found = await Promise.all(
        Object.values(queueNames).map(async (queue) => {
          const states = await byName[queue].getJobCounts('wait', 'active', 'delayed', 'failed');
          return Object.entries(states).map(([state, jobs]) => ({ queue, state, jobs }));
        }),
      );
      return found.flat();
    },
    async close() {
      await Promise.all(all.map((queue) => queue.close()));
    },
  };
}
