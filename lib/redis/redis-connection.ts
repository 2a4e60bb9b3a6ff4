import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';

/**
 * What a connection is for. `producer`: someone waits for the answer (a webhook), so it must come or fail soon.
 * `worker`: nobody waits, so a command outlives an outage. `probe`: one question now, no second try.
 */
export type RedisRole = 'producer' | 'worker' | 'probe';

export interface RedisConnectionSettings {
  readonly address: RedisAddress;
  readonly role: RedisRole;
  /** Shown by CLIENT LIST. */
  readonly name?: string;
  /** Called on every connection error; without it errors of a connection that reconnects are silent. */
  readonly onError?: (error: Error) => void;
}

/** Milliseconds until the n-th reconnection: ioredis's own steps end at 20 s, far too long for a lane to stand. */
export function reconnectDelay(attempt: number): number {
  return Math.min(100 * 2 ** Math.min(attempt, 10), 1_500);
}

/** The options of ioredis that matter here; its own type of them does not bear `exactOptionalPropertyTypes`. */
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
  // A frozen Redis answers nothing and refuses nothing: only commandTimeout ends the wait.
  producer: {
    enableOfflineQueue: false,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 1,
    retryStrategy: reconnectDelay,
  },
  // BullMQ's blocking reads demand null.
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
 * Opens a connection. It connects by itself (a probe when it is told to, or with its first command) and is closed by
 * `quit` or `disconnect`. A producer has no queue: wait for `untilReady` before its first command.
 */
export function connectRedis({ address, role, name, onError }: RedisConnectionSettings): Redis {
  const options: RoleSettings = { ...roles[role], ...(name === undefined ? {} : { connectionName: name }) };
  const redis = open(address, options);
  // Without a listener ioredis writes to the console.
  redis.on('error', (error: Error) => onError?.(error));
  return redis;
}

/** Resolves as soon as the connection takes commands. */
export async function untilReady(redis: Redis, signal?: AbortSignal): Promise<void> {
  if (redis.status !== 'ready') await once(redis, 'ready', signal === undefined ? {} : { signal });
}

function open(address: RedisAddress, options: RoleSettings): Redis {
  if (address.kind === 'url') return new Redis(address.url, options);
  if (address.kind === 'socket') return new Redis(address.path, options);
  return new Redis(address.port, address.host, { ...options, password: address.password });
}
