import { Queue } from 'bullmq';
import type { RedisServer } from './redis-server.ts';

/** How many pushes wait to be taken in, and what some of them met; for whoever must find out why. */
export async function queueStates({ redis }: RedisServer, prefix: string): Promise<string> {
  const queue = new Queue('ingest', { connection: redis, prefix });
  const [counts, failed, delayed] = await Promise.all([
    queue.getJobCounts(),
    queue.getFailed(0, 4),
    queue.getDelayed(0, 4),
  ]);
  const whys = [...failed, ...delayed].map((job) => `${job.attemptsMade}: ${job.failedReason}`);
  await queue.close();
  return `${JSON.stringify(counts)} ${whys.join('; ')}`;
}
