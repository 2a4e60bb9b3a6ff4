import type { Redis } from 'ioredis';
import type { QueueName } from './job-kinds.ts';

/**
 * Counts attempts of a job that began and never ended, because their worker died. BullMQ's own count is not usable:
 * it also counts each lost lock (when Redis was away for longer than a lock lives, or a machine was slow), and it
 * is never reset.
 */
export interface UnfinishedTries {
  /** The number in a row. */
  count(queue: QueueName, job: string): Promise<number>;
  /** Runs the work; the attempt counts as unfinished until the work has ended, with or without an error. */
  within<T>(queue: QueueName, job: string, work: () => Promise<T>): Promise<T>;
  forget(queue: QueueName, job: string): Promise<void>;
}

/** Much longer than any delay between two attempts. */
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
        // A worker that is closing has no connection left. The attempt then counts as unfinished, and one such attempt
        // is harmless.
        await forget(queue, job).catch(() => undefined);
      }
    },
  };
}
