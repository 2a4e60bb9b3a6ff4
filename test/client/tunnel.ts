import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy that only tunnels, and keeps what it was asked. */
export interface Tunnel extends AsyncDisposable {
  readonly url: string;
  /** The target and the proxy-authorization of each CONNECT. */
  readonly asked: readonly { readonly target: string; readonly authorization: string | undefined }[];
}

/**
 * Over TLS where a certificate is given.
 * @param route where a target (`host:port`) really is
 */
export async function openTunnel(
  tls?: { readonly cert: string; readonly key: string },
  route: (target: string) => string = (target) => target,
): Promise<Tunnel> {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Duplex>();
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const target = incoming.url ?? '';
    asked.push({ target, authorization: incoming.headers['proxy-authorization'] });
    const { hostname, port } = new URL(`http://${route(target)}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
