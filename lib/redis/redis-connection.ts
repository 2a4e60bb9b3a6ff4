import type { Redis } from 'ioredis';
import { JoiningRedis } from './joining-redis.ts';
import type { RedisAddress } from './redis-address.ts';
import { SteadySentinelConnector } from './sentinel-connector.ts';
import { isSentinelUrl, readSentinelUrl } from './sentinel-url.ts';

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
  readonly connectionName?: string;
}

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
  const options: RoleSettings = { ...roles[role], ...(name === undefined ? {} : { connectionName: name }) };
  const redis = open(address, options);
  // Without a listener ioredis writes to the console.
  redis.on('error', (error: Error) => onError?.(error));
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

function open(address: RedisAddress, options: RoleSettings): Redis {
  if (address.kind === 'url' && isSentinelUrl(address.url)) return openBySentinels(address.url, options);
  if (address.kind === 'url') return new JoiningRedis(address.url, options);
  if (address.kind === 'socket') return new JoiningRedis(address.path, options);
  return new JoiningRedis(address.port, address.host, { ...options, password: address.password });
}

/** Longest wait for the answer of a Sentinel, in milliseconds. */
const sentinelWithinMs = 2_000;

/** Sentinels name the Redis that is the master now, and say when it is another one. */
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
    // One that hangs accepts connections; then the next one is asked.
    sentinelCommandTimeout: sentinelWithinMs,
    // A master that hangs does not close its connections.
    failoverDetector: options.lazyConnect !== true,
    // A master that became a replica: the command is sent again, to the new master.
    reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 2 : false),
  });
}
