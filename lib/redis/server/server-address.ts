import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { LocalAddress } from './server-record.ts';

/** The system's limit for the length of a socket's path, without the terminating zero. */
const maxSocketPathLength = process.platform === 'darwin' ? 103 : 107;

/**
 * The address for a server in this folder: a socket that only its owner can access, or, without sockets or with a too
 * long path, the loopback interface with a random password. Keeps the previous address where possible, so that
 * connections reconnect.
 */
export async function chooseServerAddress(
  folder: string,
  before: LocalAddress | undefined,
): Promise<LocalAddress> {
  const path = join(folder, 'redis.sock');
  if (process.platform !== 'win32' && Buffer.byteLength(path) <= maxSocketPathLength)
    return { kind: 'socket', path };
  if (before?.kind === 'tcp' && (await freePort(before.port)) !== undefined) return before;
  const port = await freePort(0);
  if (port === undefined) throw new Error('no free port on the loopback interface');
  return { kind: 'tcp', host: '127.0.0.1', port, password: randomBytes(32).toString('hex') };
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(port));
    });
  });
}
