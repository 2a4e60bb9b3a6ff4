import type { Redis } from 'ioredis';
import { connectionOfKey } from '../../../lib/redis/connection/one-slot-cluster.ts';
import { keysUnder } from '../scripts/keys.ts';

/** Shorter than a command of the webhook route may take. */
const waitMs = 700;

/**
 * The connection to the Redis node that has the records with this `prefix`. Commands without a key (`WAIT`,
 * `WAITAOF`) must go there: on a cluster, another node would confirm writes that it does not have. Throws while the
 * cluster is not connected.
 */
export function connectionOfRecords(redis: Redis, prefix: string): Redis {
  return connectionOfKey(redis, keysUnder(prefix).state);
}

/** Whether the required number of replicas has everything that was written on this connection before. */
export async function isReplicated(redis: Redis, prefix: string, replicas: number): Promise<boolean> {
  return replicas === 0 || (await connectionOfRecords(redis, prefix).wait(replicas, waitMs)) >= replicas;
}
