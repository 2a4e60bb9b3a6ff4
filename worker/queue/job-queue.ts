import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** How often a job is tried, and what is kept of it. */
export type JobOptions = Pick<
  JobsOptions,
  'attempts' | 'backoff' | 'delay' | 'removeOnComplete' | 'removeOnFail'
>;

/**
 * Options of a job that is removed when it is done, so that its id can be used again. The same as
 * `fleeting-job.lua`.
 */
export const fleetingJob: JobOptions = { removeOnComplete: true, removeOnFail: true };

export interface NewJob<Data> {
  /** Adding a job twice has no further effect. */
  readonly id: string;
  readonly name: string;
  readonly data: Data;
  readonly options: JobOptions;
}

/** A queue, for code that adds jobs to it. */
export interface JobQueue<Data> {
  /** A key of the queue or of a job; '' for their prefix. */
  keyOf(name: string): string;
  add(job: NewJob<Data>): Promise<void>;
  /** Makes a job due now if it is delayed. False if there is none. */
  expedite(id: string): Promise<boolean>;
  /** Removes a job, unless a consumer has it. */
  remove(id: string): Promise<void>;
  /** The ids for which the queue has no job. */
  missing(ids: readonly string[]): Promise<readonly string[]>;
  /** Number of jobs, by state. */
  counts(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/**
 * `redis` is a connection for producers: adding a job fails soon if Redis cannot be reached, instead of waiting.
 * `onError` gets errors that happen while no job is being added.
 */
export function openJobQueue<Data>(
  redis: Redis,
  {
    prefix,
    name,
    onError,
  }: { readonly prefix: string; readonly name: string; readonly onError: (error: Error) => void },
): JobQueue<Data> {
  const queue = new Queue<unknown>(name, {
    connection: redis,
    prefix,
    // BullMQ would otherwise wait for the connection without limit.
    skipWaitingForReady: true,
    streams: { events: { maxLen: 1_000 } },
  });
  queue.on('error', onError);
  return {
    keyOf: (key) => queue.toKey(key),
    async add({ id, name: kind, data, options }) {
      await queue.add(kind, data, { jobId: id, ...options });
    },
    async expedite(id) {
      const job = await queue.getJob(id);
      // Not delayed: it is running or about to run.
      await job?.promote().catch(() => undefined);
      return job !== undefined;
    },
    async remove(id) {
      await queue.remove(id);
    },
    async missing(ids) {
      const existing = await Promise.all(ids.map((id) => redis.exists(queue.toKey(id))));
      return ids.filter((_, i) => existing[i] === 0);
    },
    counts: () => queue.getJobCounts('wait', 'active', 'delayed', 'failed'),
    close: () => queue.close(),
  };
}
