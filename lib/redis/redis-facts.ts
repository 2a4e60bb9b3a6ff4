import type { Redis } from 'ioredis';
import { Failure } from '../core/failure.ts';
import { describeRedisAddress, type RedisAddress } from './redis-address.ts';
import { connectRedis } from './redis-connection.ts';
import { isAtLeast, oldestRedis } from './redis-version.ts';

/** Facts that a running Redis reports. */
export interface RedisFacts {
  readonly version: string;
  readonly pid: number;
  /** New with every start of the server. */
  readonly runId: string;
  /** `undefined` where the server forbids CONFIG, as hosted services do. */
  readonly evictionPolicy: string | undefined;
}

/** Reads the facts of a Redis. Rejects with the connection's error. */
export async function readRedisFacts(redis: Redis): Promise<RedisFacts> {
  const info = await redis.info();
  const field = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  return {
    version: field('redis_version'),
    pid: Number(field('process_id')),
    runId: field('run_id'),
    evictionPolicy: field('maxmemory_policy') || undefined,
  };
}

/**
 * Rejects a Redis on which Millrace would lose records: older than 6.2, or with an eviction policy.
 *
 * @throws Failure `redis-unsuitable`, `redis-unreachable`
 */
export async function checkRedis(address: RedisAddress): Promise<RedisFacts> {
  const redis = connectRedis({ address, role: 'probe' });
  const where = { input: 'MILLRACE_REDIS_URL' };
  const shown = describeRedisAddress(address);
  try {
    const facts = await readRedisFacts(redis);
    if (!isAtLeast(facts.version, oldestRedis)) {
      throw new Failure('redis-unsuitable', {
        message: `The Redis at ${shown} is version ${facts.version || 'unknown'}; Millrace needs ${oldestRedis} or later.`,
        where,
        hint: `Upgrade that Redis to ${oldestRedis} or later, or use Valkey.`,
      });
    }
    if (facts.evictionPolicy !== undefined && facts.evictionPolicy !== 'noeviction') {
      throw new Failure('redis-unsuitable', {
        message: `The Redis at ${shown} evicts keys when its memory is full (maxmemory-policy ${facts.evictionPolicy}), so promotions would be lost.`,
        where,
        hint: 'Set `maxmemory-policy noeviction` in the configuration of that Redis.',
      });
    }
    return facts;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('redis-unreachable', {
      message: `The Redis at ${shown} does not answer: ${error instanceof Error ? error.message : String(error)}`,
      where,
      cause: error,
    });
  } finally {
    redis.disconnect();
  }
}
