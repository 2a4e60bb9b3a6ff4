import type { Redis } from 'ioredis';

/** Shorter than a command of the webhook route may take. */
const waitMs = 700;

/** Whether so many replicas have everything that was written on this connection before. */
export async function isReplicated(redis: Redis, replicas: number): Promise<boolean> {
  return replicas === 0 || (await redis.wait(replicas, waitMs)) >= replicas;
}
