import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { incomingId, incomingName, incomingOptions, takesPlace } from './incoming-job.ts';
import { advanceJobId, canaryId, canaryName, type QueueName, queueNames } from './job-kinds.ts';
import type { IncomingEvent } from '../../records/incoming-event.ts';
import { isFoundBySweep } from '../../records/push-event.ts';
import { keysUnder } from '../scripts/keys.ts';
import { queueKeyNames } from './bullmq-functions.ts';
import { enqueueAdvance } from './enqueue-advance.ts';
import { takePlace } from '../deliveries/push-places.ts';

export interface PromotionJob {
  readonly promotionId: string;
  /** Of a report: the state that it is about; undefined if an older worker added it. */
  readonly seq?: number;
}

/** Enqueues work. Every job has an id derived from its work: adding it twice has no further effect. */
export interface WorkQueues {
  /** Enqueues the ingest of a push or a comment's command; a tag takes its place in the order of the pushes. */
  addIncoming(event: IncomingEvent): Promise<void>;
  /** Ingests a push now if it waits for a later time, by the id of its job. */
  expediteIncoming(job: string): Promise<void>;
  /** A key of the ingest queue, by BullMQ's name. */
  ingestKey(type: string): string;
  enqueueAdvance(promotionId: string): Promise<void>;
  /**
   * Advances the promotion now if it waits for a later time. If it is being advanced at this moment, its worker finds
   * the request in the record (`isAdvanceRequested`).
   */
  expediteAdvance(promotionId: string): Promise<void>;
  /** The promotions without an enqueued advance. */
  withoutAdvanceJob(promotionIds: readonly string[]): Promise<readonly string[]>;
  /** Prefix of the keys of the queue of advances. */
  readonly advanceKeys: string;
  /** Prefix of the key of a promotion's advance job; the promotion's id follows. */
  readonly advanceJobKeys: string;
  /** Reports a state, which replaces the one before it. */
  addReport(promotionId: string, seq: number, delayMs?: number): Promise<void>;
  /** Sends a queue a job that only its own worker processes. */
  addCanary(queue: QueueName, worker: string): Promise<void>;
  /** Enqueues a push that was given up. */
  replayPush(event: IncomingEvent): Promise<void>;
  /** Number of jobs in each queue, by state. */
  counts(): Promise<readonly { readonly queue: QueueName; readonly state: string; readonly jobs: number }[]>;
  close(): Promise<void>;
}

/** Longest delay between two attempts to ingest a push. */
const maxRetryMs = 60_000;

/** Milliseconds until a push is retried: a second, doubled each time up to a minute, ± 25 %. */
export function ingestRetryDelay(attempt: number, random: () => number): number {
  return Math.round(Math.min(1_000 * 2 ** Math.min(attempt - 1, 10), maxRetryMs) * (0.75 + random() / 2));
}

/**
 * `redis` is a producer's connection: an add fails soon instead of waiting for an unreachable Redis. `onError`
 * gets errors between adds.
 */
export function openQueues(redis: Redis, prefix: string, onError: (error: Error) => void): WorkQueues {
  // BullMQ would otherwise wait for the connection without limit.
  const options = {
    connection: redis,
    prefix,
    skipWaitingForReady: true,
    streams: { events: { maxLen: 1_000 } },
  };
  const ingest = new Queue<IncomingEvent | object>(queueNames.ingest, options);
  const promotion = new Queue<PromotionJob | object>(queueNames.promotion, options);
  const report = new Queue<PromotionJob | object>(queueNames.report, options);
  const byName = { ingest, promotion, report };
  const all = [ingest, promotion, report];
  for (const queue of all) queue.on('error', onError);

  const keys = keysUnder(prefix);
  const addIncoming = async (event: IncomingEvent): Promise<void> => {
    // A place without a job, after a crash in between, is removed by the next push that would wait for it.
    if (takesPlace(event))
      await takePlace(redis, [keys.places(event.repositoryId)], { job: incomingId(event) });
    // A sweep that finds the push again, because it came to nothing, needs the id.
    const keep = isFoundBySweep(event) ? { removeOnComplete: true } : {};
    await ingest.add(incomingName(event), event, { jobId: incomingId(event), ...incomingOptions, ...keep });
  };
  const promotionKeys = queueKeyNames.map((name) => promotion.toKey(name));
  async function addAdvance(promotionId: string): Promise<void> {
    await enqueueAdvance(redis, promotionKeys, {
      queuePrefix: promotion.toKey(''),
      job: advanceJobId(promotionId),
      data: JSON.stringify({ promotionId }),
      at: Date.now(),
    });
  }

  // Removed when done: the promotion record has the history, and the same id must be free again.
  const fleeting = { removeOnComplete: true, removeOnFail: true };

  return {
    addIncoming,
    async expediteIncoming(id) {
      const job = await ingest.getJob(id);
      // Not delayed: it is running or about to run.
      await job?.promote().catch(() => undefined);
    },
    ingestKey: (type) => ingest.toKey(type),
    enqueueAdvance: addAdvance,
    async expediteAdvance(promotionId) {
      const job = await promotion.getJob(advanceJobId(promotionId));
      if (job === undefined) return addAdvance(promotionId);
      // Not delayed: it is running or about to run.
      await job.promote().catch(() => undefined);
    },
    async withoutAdvanceJob(promotionIds) {
      const found = await Promise.all(
        promotionIds.map((id) => redis.exists(promotion.toKey(advanceJobId(id)))),
      );
      return promotionIds.filter((_, i) => found[i] === 0);
    },
    advanceKeys: promotion.toKey(''),
    advanceJobKeys: promotion.toKey(advanceJobId('')),
    async addReport(promotionId, seq, delayMs = 0) {
      const jobId = (of: number): string => `s-${promotionId}-${of}`;
      await Promise.all([
        report.add('report', { promotionId, seq }, { jobId: jobId(seq), delay: delayMs, ...fleeting }),
        // Once the newest state is sent, it would find nothing to send. One that runs now stays.
        seq > 1 ? report.remove(jobId(seq - 1)) : undefined,
      ]);
    },
    async addCanary(queue, worker) {
      await byName[queue].add(canaryName, {}, { jobId: canaryId(worker), ...fleeting });
    },
    async replayPush(event) {
      // The failed job still has the id.
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
