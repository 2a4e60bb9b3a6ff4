import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';

/** One name for one Redis or another: passes bytes on to the Redis that it leads to when a connection is made. */
export interface RedisProxy extends AsyncDisposable {
  readonly address: RedisAddress & { readonly kind: 'url' };
  /** The connections that are open. */
  readonly open: number;
  /** Leads new connections to another Redis; those that are open stay with the Redis before. */
  lead(socketPath: string): void;
  /** Passes nothing more on in the open connections, and closes none, as a network that lost them. */
  silence(): void;
}

export async function startRedisProxy(socketPath: string): Promise<RedisProxy> {
  let target = socketPath;
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket; isSilent: boolean }>();
  const server = createServer((near) => {
    const far = connect(target);
    const pair = { near, far, isSilent: false };
    pairs.add(pair);
    near.on('data', (chunk) => void (pair.isSilent || far.write(chunk)));
    far.on('data', (chunk) => void (pair.isSilent || near.write(chunk)));
    near
      .on('error', () => undefined)
      .on('close', () => {
        pairs.delete(pair);
        far.destroy();
      });
    far.on('error', () => undefined).on('close', () => void (pair.isSilent || near.destroy()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: { kind: 'url', url: `redis://127.0.0.1:${port}` },
    get open() {
      return pairs.size;
    },
    lead(path) {
      target = path;
    },
    silence() {
      for (const pair of pairs) pair.isSilent = true;
    },
    async [Symbol.asyncDispose]() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
