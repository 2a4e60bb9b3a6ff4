import type { Redis } from 'ioredis';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { connectRedis, untilReady } from '../../lib/redis/connection/redis-connection.ts';
import type { FailureLog } from '../telemetry/failure-log.ts';

/** The worker’s connections to Redis. */
export interface Connections {
  /** For the webhook route: a command fails at once if Redis is away. */
  readonly producer: Redis;
  /** For records: a command waits until Redis is back. */
  readonly records: Redis;
  /** For the queue consumers, which block it. */
  readonly jobs: Redis;
  readonly onError: (error: Error) => void;
  disconnect(): void;
}

/** Connects and waits until Redis accepts commands. */
export async function openConnections(address: RedisAddress, failures: FailureLog): Promise<Connections> {
  const onError = (error: Error): void =>
    failures.failed('redis', 'A Redis connection failed.', { error: error.message });
  const producer = connectRedis({ address, role: 'producer', name: 'millrace-receiver', onError });
  const records = connectRedis({ address, role: 'worker', name: 'millrace-records', onError });
  const jobs = connectRedis({ address, role: 'worker', name: 'millrace-jobs', onError });
  const all = [producer, records, jobs];
  for (const connection of all) connection.on('ready', () => failures.worked('redis'));
  const disconnect = (): void => {
    for (const connection of all) connection.disconnect();
  };
  try {
    await Promise.all(all.map((connection) => untilReady(connection)));
  } catch (error) {
    // A connection that keeps retrying would keep the process alive.
    disconnect();
    throw error;
  }
  return { producer, records, jobs, onError, disconnect };
}
