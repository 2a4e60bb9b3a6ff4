import type { Redis } from 'ioredis';
import { connectionOfKey } from '../../../lib/redis/connection/one-slot-cluster.ts';
import type { Keys } from '../scripts/keys.ts';

/** Whether Redis has something on its disk; undefined if Redis does not say. */
export type OnDisk = boolean | undefined;

/** Longest wait for the disk: with `appendfsync everysec`, Redis writes to it within two seconds. */
const waitMs = 3_000;

/** A call of a worker: Redis keeps the number of the last one (`lane-rules.lua`). */
interface KnownCall {
  readonly worker: string;
  readonly call: number;
}

/**
 * Waits until what a call recorded is on the disk of Redis and on the required number of replicas. False if Redis
 * does not confirm it in time, has lost the call, or stores nothing on disk. Never throws.
 */
export async function isOnDisk(
  redis: Redis,
  keys: Keys,
  { call, replicas }: { readonly call: KnownCall | undefined; readonly replicas: number },
): Promise<OnDisk> {
  let once: Redis | undefined;
  try {
    // A connection of its own: the wait would hold up all others, and after a reconnection it would be about another Redis.
    once = connectionOfKey(redis, keys.state).duplicate({
      connectionName: 'millrace-words',
      lazyConnect: true,
      connectTimeout: waitMs,
      commandTimeout: 2 * waitMs,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    once.on('error', () => undefined);
    await once.connect();
    const lastCall = Number.parseInt((await once.hget(keys.workers, call?.worker ?? '')) ?? '0', 10);
    if (call !== undefined && lastCall < call.call) return false;
    const isWritten = await waitForDisk(once, keys);
    return isWritten === true && replicas > 0 ? (await once.wait(replicas, waitMs)) >= replicas : isWritten;
  } catch {
    return undefined;
  } finally {
    once?.disconnect();
  }
}

/**
 * `WAITAOF` is in Redis from 7.2 on, and in Valkey. Without it, only `appendfsync always` writes to the disk before the
 * answer.
 */
async function waitForDisk(redis: Redis, keys: Keys): Promise<OnDisk> {
  // `WAITAOF` waits for what this connection wrote, so this writes something later than the call.
  await redis.set(keys.words, '1', 'EX', 3_600);
  try {
    const [local] = (await redis.call('WAITAOF', 1, 0, waitMs)) as readonly number[];
    return Number(local) >= 1;
  } catch (error) {
    if (/appendonly is disabled/i.test(String(error))) return false;
  }
  try {
    const settings = ['appendonly', 'appendfsync', 'no-appendfsync-on-rewrite'];
    // Before Redis 7, one setting in each command.
    const values = await Promise.all(settings.map(async (name) => redis.config('GET', name)));
    const [file, sync, unless] = values.map(([, value]) => value);
    if (file === undefined || sync === undefined) return undefined;
    return file === 'yes' && sync === 'always' && unless !== 'yes';
  } catch {
    return undefined;
  }
}
