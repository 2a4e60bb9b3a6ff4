import type { Redis } from 'ioredis';
import { isClusterUrl, readClusterUrl } from '../address/cluster-url.ts';
import { JoiningRedis } from './joining-redis.ts';
import { OneSlotCluster } from './one-slot-cluster.ts';
import type { RedisAddress } from '../address/redis-address.ts';
import { isFromReplica } from './replica-error.ts';
import { SteadySentinelConnector } from './sentinel-connector.ts';
import { isSentinelUrl, readSentinelUrl } from '../address/sentinel-url.ts';

/**
 * The purpose of a connection. `producer`: a caller such as a webhook waits, so a command must succeed or fail soon.
 * `worker`: no caller waits, so a command survives an outage. `probe`: one command now, without a retry.
 */
export type RedisRole = 'producer' | 'worker' | 'probe';

export interface RedisConnectionSettings {
  readonly address: RedisAddress;
  readonly role: RedisRole;
  /** Shown by CLIENT LIST. */
  readonly name?: string;
  /** Called for every connection error; without it, errors of a reconnecting connection are silent. */
  readonly onError?: (error: Error) => void;
}

/** Milliseconds until the n-th reconnection. The default of ioredis grows to 20 s, too long for a waiting lane. */
export function reconnectDelay(attempt: number): number {
  return Math.min(100 * 2 ** Math.min(attempt, 10), 1_500);
}

/** The used options of ioredis; its own type does not work with `exactOptionalPropertyTypes`. */
interface RoleSettings {
  readonly lazyConnect?: boolean;
  readonly enableReadyCheck?: boolean;
  readonly enableOfflineQueue?: boolean;
  readonly commandTimeout?: number;
  readonly connectTimeout?: number;
  readonly maxRetriesPerRequest: number | null;
  readonly retryStrategy: (attempt: number) => number | null;
  readonly reconnectOnError?: (error: Error) => false | 2;
  readonly connectionName?: string;
}

/** The options of every connection. */
const common = {
  // Milliseconds until the system asks an idle connection whether it is alive; it ends a dead one ten seconds later.
  keepAlive: 5_000,
  // A network that drops packets answers no attempt to connect.
  connectTimeout: 4_000,
  // Longest wait for the other side to close, too, in milliseconds.
  disconnectTimeout: 500,
} as const;

const roles = {
  // A frozen Redis neither answers nor refuses: only commandTimeout ends the wait.
  producer: {
    enableOfflineQueue: false,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 1,
    retryStrategy: reconnectDelay,
  },
  // BullMQ's blocking reads require null.
  worker: { maxRetriesPerRequest: null, retryStrategy: reconnectDelay },
  probe: {
    lazyConnect: true,
    enableReadyCheck: false,
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  },
} as const satisfies Record<RedisRole, RoleSettings>;

/**
 * Opens a connection. It connects automatically (a probe at `connect` or with its first command) and is closed by
 * `quit` or `disconnect`. A producer has no offline queue: wait for `untilReady` before its first command.
 */
export function connectRedis({ address, role, name, onError }: RedisConnectionSettings): Redis {
  const options: RoleSettings = {
    ...common,
    ...roles[role],
    ...(role === 'probe' ? {} : { reconnectOnError: leaveReplica(onError) }),
    ...(name === undefined ? {} : { connectionName: name }),
  };
  const redis = open(address, options);
  // Without a listener ioredis writes to the console.
  redis.on('error', (error: Error) => onError?.(error));
  // A cluster reports the errors of its connections in this way, and only that all failed in the other.
  redis.on('node error', (error: Error) => onError?.(error));
  return redis;
}

/**
 * Resolves as soon as the connection accepts commands. An error does not end the wait while it connects again: a busy Redis
 * may not answer the first commands in time. Rejects once it is given up.
 */
export async function untilReady(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (): void => reject(new Error('The connection to Redis is closed.'));
  redis.once('ready', resolve).once('end', giveUp);
  try {
    await promise;
  } finally {
    redis.off('ready', resolve).off('end', giveUp);
  }
}

/** The command is sent again, on a connection to the new master. */
function leaveReplica(onError: RedisConnectionSettings['onError']): (error: Error) => false | 2 {
  return (error) => {
    if (!isFromReplica(error)) return false;
    // ioredis does not report it, and it may happen again and again.
    onError?.(error);
    return 2;
  };
}

function open(address: RedisAddress, options: RoleSettings): Redis {
  if (address.kind === 'url' && isSentinelUrl(address.url)) return openBySentinels(address.url, options);
  if (address.kind === 'url' && isClusterUrl(address.url)) return openCluster(address.url, options);
  if (address.kind === 'url') return new JoiningRedis(options, address.url);
  if (address.kind === 'socket') return new JoiningRedis({ ...options, path: address.path });
  const { host, port, password } = address;
  return new JoiningRedis({ ...options, host, port, password });
}

/** Milliseconds between two attempts with the same command while a cluster has no master for its slot. */
const clusterRetryMs = 100;

/**
 * The scripts and commands of the worker, and BullMQ's, are called in the same way on a cluster; what only a `Redis` has
 * is not used.
 */
function openCluster(url: string, options: RoleSettings): Redis {
  const { tls, nodes, username, password } = readClusterUrl(url);
  const { lazyConnect = false, enableOfflineQueue = true, retryStrategy, ...redisOptions } = options;
  // Commands that survive an outage are sent again until the cluster has a master for them.
  const attempts =
    options.maxRetriesPerRequest === null ? Number.MAX_SAFE_INTEGER : 1 + 1_500 / clusterRetryMs;
  const cluster = new OneSlotCluster([...nodes], {
    lazyConnect,
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    maxRedirections: attempts,
    retryDelayOnMoved: clusterRetryMs / 2,
    retryDelayOnFailover: clusterRetryMs,
    retryDelayOnClusterDown: clusterRetryMs,
    retryDelayOnTryAgain: clusterRetryMs,
    slotsRefreshTimeout: common.connectTimeout,
    redisOptions: { ...redisOptions, username, password, ...(tls ? { tls: {} } : {}) },
    // A certificate has the names of the nodes, not their addresses.
    ...(tls ? { dnsLookup: (name, callback) => callback(null, name) } : {}),
  });
  return cluster as unknown as Redis;
}

/** Longest wait for the answer of a Sentinel, in milliseconds. */
const sentinelWithinMs = 2_000;

/** Opens a connection through Sentinels, which name the current master and report a new one. */
function openBySentinels(url: string, options: RoleSettings): Redis {
  const { tls, sentinels, name, db, username, password, sentinelUsername, sentinelPassword } =
    readSentinelUrl(url);
  return new JoiningRedis({
    ...options,
    Connector: SteadySentinelConnector,
    sentinels: [...sentinels],
    name,
    db,
    username,
    password,
    sentinelUsername,
    sentinelPassword,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelRetryStrategy: options.retryStrategy,
    // A Sentinel that hangs still accepts connections. After this time, the next Sentinel is asked.
    sentinelCommandTimeout: sentinelWithinMs,
    // A master that hangs does not close its connections.
    failoverDetector: options.lazyConnect !== true,
  });
}
