import { type Job, Queue } from 'bullmq';
import type { RedisServer } from './redis-server.ts';

/** The accepted pushes as stored in Redis; read without a worker. */
export interface Inbox extends AsyncDisposable {
  /** Number of pushes that are not ingested yet. */
  waiting(): Promise<number>;
  /** The pushes that are not ingested, with their errors, as text. */
  picture(): Promise<string>;
  /** The result of the push whose body has this digest. */
  result(digest: string): Promise<string>;
}

/** The result of a push that is not in Redis. */
export const notThere = 'not in the inbox';

export function openInbox({ redis }: RedisServer, prefix: string): Inbox {
  const queue = new Queue('ingest', { connection: redis, prefix });

  async function left(): Promise<readonly Job[]> {
    const jobs = await queue.getJobs(['wait', 'active', 'delayed', 'prioritized', 'failed']);
    // One that was moved while they were listed has no data any more; canaries are not pushes.
    return jobs.filter((job: Job | undefined) => job?.name === 'push');
  }
  async function describe(job: Job): Promise<string> {
    const { attemptsMade, attemptsStarted, stalledCounter, failedReason, returnvalue } = job;
    const ends = [failedReason, returnvalue].filter(Boolean).join(' ');
    return `${await job.getState()} after ${attemptsStarted} attempts, ${attemptsMade} failed, ${stalledCounter} stalled: ${ends}`;
  }
  return {
    waiting: async () => (await left()).length,
    async picture() {
      const jobs = await left();
      return `${jobs.length} not taken in; ${(await Promise.all(jobs.slice(0, 10).map(describe))).join('; ')}`;
    },
    async result(digest) {
      const job = (await queue.getJob(`b-${digest}`)) as Job | undefined;
      return job === undefined ? notThere : describe(job);
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
