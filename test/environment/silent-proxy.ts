import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port of this machine that passes bytes on to another one, until it goes silent. */
export interface SilentProxy extends AsyncDisposable {
  readonly port: number;
  /** Passes nothing more on, in open and new connections, and closes none: a network that was cut. */
  silence(): void;
}

export async function startSilentProxy(target: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (isSilent || to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => void (isSilent || to.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
