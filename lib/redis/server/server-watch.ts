import { connectRedis } from '../connection/redis-connection.ts';
import type { LocalAddress } from './server-record.ts';

export interface ServerWatch {
  /** Resolves when the connection is lost: the server has ended, or this watch was closed. */
  readonly closed: Promise<void>;
  end(): void;
}

const prefix = 'millrace-user-';

/**
 * Keeps a connection to the server. It notices at once when the server ends, and makes the server's users
 * countable.
 */
export async function watchServer(address: LocalAddress, user: string): Promise<ServerWatch> {
  const redis = connectRedis({ address, role: 'probe', name: `${prefix}${user}` });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  redis.once('end', resolve);
  await redis.connect();
  return { closed, end: () => redis.disconnect() };
}

/** True if the answer to CLIENT LIST names a user of the server other than this one. */
export function hasOtherUsers(clientList: string, user: string): boolean {
  return [...clientList.matchAll(/ name=(\S+)/g)].some(
    ([, name = '']) => name.startsWith(prefix) && name !== `${prefix}${user}`,
  );
}
