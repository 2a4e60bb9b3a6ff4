import type { Redis } from 'ioredis';
import { incomingId, incomingName, incomingOptions, takesPlace } from './incoming-job.ts';
import { advanceJobId, canaryId, canaryName, type QueueName, queueNames } from './job-kinds.ts';
import type { IncomingEvent } from '../../records/incoming-event.ts';
import { isFoundBySweep } from '../../records/push-event.ts';
import { keysUnder } from '../scripts/keys.ts';
import { fleetingJob, openJobQueue } from '../../queue/job-queue.ts';
import { takePlace } from '../deliveries/push-places.ts';
import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';
import { addJob } from '../../queue/fragments.ts';

export interface PromotionJob {
  readonly promotionId: string;
  /** The state that a report is about; undefined if an older worker added the job. */
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
 * Opens the queues for adding jobs. `redis` is a connection for producers: adding a job fails soon if Redis cannot
 * be reached. `onError` gets errors that happen while no job is being added.
 */
export function openQueues(redis: Redis, prefix: string, onError: (error: Error) => void): WorkQueues {
  const open = <Data>(name: QueueName) => openJobQueue<Data | object>(redis, { prefix, name, onError });
  const ingest = open<IncomingEvent>(queueNames.ingest);
  const promotion = open<PromotionJob>(queueNames.promotion);
  const report = open<PromotionJob>(queueNames.report);
  const byName = { ingest, promotion, report };
  const all = [ingest, promotion, report];

  const keys = keysUnder(prefix);
  const addIncoming = async (event: IncomingEvent): Promise<void> => {
    const id = incomingId(event);
    // If a crash in between leaves a place without a job, the next push that would wait for it removes it.
    if (takesPlace(event)) await takePlace(redis, [keys.places(event.repositoryId)], { job: id });
    // If the push comes to nothing, a sweep finds it again and needs the id.
    const keep = isFoundBySweep(event) ? { removeOnComplete: true } : {};
    await ingest.add({
      id,
      name: incomingName(event),
      data: event,
      options: { ...incomingOptions, ...keep },
    });
  };
  async function addAdvance(promotionId: string): Promise<void> {
    // BullMQ uses the machine's clock.
    await enqueueAdvance(redis, [promotion.keyOf('wait')], {
      prefix,
      promotion: promotionId,
      at: Date.now(),
    });
  }

  return {
    addIncoming,
    async expediteIncoming(id) {
      await ingest.expedite(id);
    },
    ingestKey: (type) => ingest.keyOf(type),
    enqueueAdvance: addAdvance,
    async expediteAdvance(promotionId) {
      if (!(await promotion.expedite(advanceJobId(promotionId)))) await addAdvance(promotionId);
    },
    async withoutAdvanceJob(promotionIds) {
      const missing = new Set(await promotion.missing(promotionIds.map(advanceJobId)));
      return promotionIds.filter((id) => missing.has(advanceJobId(id)));
    },
    advanceKeys: promotion.keyOf(''),
    advanceJobKeys: promotion.keyOf(advanceJobId('')),
    async addReport(promotionId, seq, delayMs = 0) {
      const jobId = (of: number): string => `s-${promotionId}-${of}`;
      const options = { delay: delayMs, ...fleetingJob };
      await Promise.all([
        report.add({ id: jobId(seq), name: 'report', data: { promotionId, seq }, options }),
        // The older job would find nothing to send once the newest state is sent. A job that runs now stays.
        seq > 1 ? report.remove(jobId(seq - 1)) : undefined,
      ]);
    },
    async addCanary(queue, worker) {
      await byName[queue].add({ id: canaryId(worker), name: canaryName, data: {}, options: fleetingJob });
    },
    async replayPush(event) {
      // The failed job still has the id.
      await ingest.remove(incomingId(event));
      await addIncoming(event);
    },
    async counts() {
      const counts = await Promise.all(
        Object.values(queueNames).map(async (queue) =>
          Object.entries(await byName[queue].counts()).map(([state, jobs]) => ({ queue, state, jobs })),
        ),
      );
      return counts.flat();
    },
    async close() {
      await Promise.all(all.map((queue) => queue.close()));
    },
  };
}

interface EnqueueArguments {
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly promotion: string;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
}

/** Adds the job that advances a promotion, unless there is one. Key: one of the queue. */
const enqueueAdvance: Script<EnqueueArguments, void> = loadScript(
  import.meta.dirname,
  'enqueue-advance.lua',
  () => undefined,
  addJob,
);
