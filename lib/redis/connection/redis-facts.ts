import { messageOf } from '../../core/errors/message-of.ts';
import type { Redis } from 'ioredis';
import { Failure } from '../../core/errors/failure.ts';
import { isClusterUrl } from '../address/cluster-url.ts';
import { reasonOf } from './connection-failure.ts';
import { missingRights, neededOnCluster, neededRights } from './needed-rights.ts';
import { connectionOfKey } from './one-slot-cluster.ts';
import { validatePlainUrl } from '../address/plain-url.ts';
import { describeRedisAddress, type RedisAddress } from '../address/redis-address.ts';
import { connectRedis } from './redis-connection.ts';
import { isAtLeast, oldestRedis } from './redis-version.ts';
import { isSentinelUrl } from '../address/sentinel-url.ts';

/** Facts that a running Redis reports. */
export interface RedisFacts {
  readonly version: string;
  readonly pid: number;
  /** New with every start of the server. */
  readonly runId: string;
  /** `undefined` if the server forbids CONFIG, as hosted services do. */
  readonly evictionPolicy: string | undefined;
  /** `master` or `slave`. */
  readonly role: string;
  /** Host and port of the master, if this is a replica. */
  readonly master: string | undefined;
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
    role: field('role'),
    master: field('master_host') === '' ? undefined : `${field('master_host')}:${field('master_port')}`,
  };
}

const where = { input: 'MILLRACE_REDIS_URL' };

/**
 * Rejects a Redis with which the worker would not work or would lose records: older than 6.2, with an eviction
 * policy, a replica, a single node of a cluster, or without the needed rights. `prefix`: the prefix of all keys.
 *
 * @throws Failure `usage`, `redis-unsuitable`, `redis-unreachable`
 */
export async function checkRedis(address: RedisAddress, prefix = '{millrace}'): Promise<RedisFacts> {
  const shown = describeRedisAddress(address);
  const isOfOne = address.kind !== 'url' || !(isSentinelUrl(address.url) || isClusterUrl(address.url));
  if (isOfOne && address.kind === 'url') validatePlainUrl(address.url);
  const errors: Error[] = [];
  const redis = connectRedis({ address, role: 'probe', onError: (error) => errors.push(error) });
  const unsuitable = (what: string, hint: string): Failure =>
    new Failure('redis-unsuitable', { message: `The Redis at ${shown} ${what}`, where, hint });
  try {
    await redis.connect();
    // A database that does not exist does not end the connection. One of several nodes may be down.
    const [early] = errors;
    if (isOfOne && early !== undefined) throw early;
    const node = connectionOfKey(redis, `${prefix}:state`);
    const facts = await readRedisFacts(node);
    if (!isAtLeast(facts.version, oldestRedis))
      throw unsuitable(
        `is version ${facts.version || 'unknown'}; Millrace needs ${oldestRedis} or later.`,
        `Upgrade that Redis to ${oldestRedis} or later, or use Valkey.`,
      );
    if (facts.evictionPolicy !== undefined && facts.evictionPolicy !== 'noeviction')
      throw unsuitable(
        `evicts keys when its memory is full (maxmemory-policy ${facts.evictionPolicy}), so promotions would be lost.`,
        'Set `maxmemory-policy noeviction` in the configuration of that Redis.',
      );
    if (facts.role === 'slave')
      throw unsuitable(
        `is a replica${facts.master === undefined ? '' : ` of ${facts.master}`}, which refuses writes.`,
        'Set MILLRACE_REDIS_URL to the master, to a name that always leads to it, or to its Sentinels.',
      );
    const missing = await missingRights(node, prefix);
    if (missing.length > 0)
      throw unsuitable(
        `does not give the user the rights that the worker needs. Refused: ${missing.join(', ')}.`,
        `Give the user these rights: ACL SETUSER <user> ${neededRights}${isCluster(address) ? ` ${neededOnCluster}` : ''}`,
      );
    return facts;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreachable(shown, error, errors);
  } finally {
    redis.disconnect();
  }
}

const isCluster = (address: RedisAddress): boolean => address.kind === 'url' && isClusterUrl(address.url);

/** `ended`: how the command ended; the errors of the connection before it often say more. */
function unreachable(shown: string, ended: unknown, errors: readonly Error[]): Failure {
  const reason = reasonOf([ended, ...errors]);
  const last = errors.at(-1) ?? ended;
  const text = reason?.text ?? messageOf(last);
  return new Failure('redis-unreachable', {
    message:
      reason === undefined
        ? `The Redis at ${shown} does not answer: ${text}`
        : `The Redis at ${shown} ${reason.why} (${text}).`,
    where,
    ...(reason === undefined ? {} : { hint: reason.hint }),
    cause: last,
  });
}
