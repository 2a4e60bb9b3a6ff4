import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy that only tunnels, and records its CONNECT requests. */
export interface Tunnel extends AsyncDisposable {
  readonly url: string;
  /** The target and the proxy-authorization of each CONNECT. */
  readonly requests: readonly { readonly target: string; readonly authorization: string | undefined }[];
}

/** With TLS where a certificate is given. @param route maps a target (`host:port`) to its real address */
export async function openTunnel(
  tls?: { readonly cert: string; readonly key: string },
  route: (target: string) => string = (target) => target,
): Promise<Tunnel> {
  const requests: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Duplex>();
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const target = incoming.url ?? '';
    requests.push({ target, authorization: incoming.headers['proxy-authorization'] });
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
    requests,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
