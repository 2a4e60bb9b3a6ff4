import { connectRedis } from './redis-connection.ts';
import type { LocalAddress } from './server-record.ts';

export interface ServerWatch {
  /** Resolves when the connection is lost: the server has ended, or we have. */
  readonly gone: Promise<void>;
  end(): void;
}

const prefix = 'millrace-user-';

/** Holds a connection to the server, by which its end is noticed at once and its users can be counted. */
export async function watchServer(address: LocalAddress, user: string): Promise<ServerWatch> {
  const redis = connectRedis({ address, role: 'probe', name: `${prefix}${user}` });
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  redis.once('end', resolve);
  await redis.connect();
  return { gone, end: () => redis.disconnect() };
}

/** True if the answer to CLIENT LIST names another user of the server than this one. */
export function hasOtherUsers(clientList: string, user: string): boolean {
  return [...clientList.matchAll(/ name=(\S+)/g)].some(
    ([, name = '']) => name.startsWith(prefix) && name !== `${prefix}${user}`,
  );
}
