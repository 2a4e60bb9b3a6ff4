import type { Redis } from 'ioredis';
import type { QueueName } from './job-kinds.ts';

/**
 * Counts the tries of a job that were begun and never ended, because their worker died. BullMQ's own count will not do:
 * it counts each lock that was lost, also where a Redis was away for longer than a lock lives or a machine was slow,
 * and it never forgets one.
 */
export interface UnfinishedTries {
  /** How many in a row. */
  count(queue: QueueName, job: string): Promise<number>;
  /** Does the work; the try counts as unfinished until the work has ended, well or not. */
  within<T>(queue: QueueName, job: string, work: () => Promise<T>): Promise<T>;
  forget(queue: QueueName, job: string): Promise<void>;
}

/** The longest that a job waits between two tries is far less. */
const keepMs = 86_400_000;

export function createUnfinishedTries(redis: Redis, prefix: string): UnfinishedTries {
  const keyOf = (queue: QueueName, job: string): string => `${prefix}:unfinished:${queue}:${job}`;
  const forget = async (queue: QueueName, job: string): Promise<void> => {
    await redis.del(keyOf(queue, job));
  };
  return {
    forget,
    async count(queue, job) {
      return Number((await redis.get(keyOf(queue, job))) ?? 0);
    },
    async within(queue, job, work) {
      const key = keyOf(queue, job);
      await redis.multi().incr(key).pexpire(key, keepMs).exec();
      try {
        return await work();
      } finally {
        // A worker that is being closed has no connection left: then it counts as unfinished, and one is no matter.
        await forget(queue, job).catch(() => undefined);
      }
    },
  };
}
