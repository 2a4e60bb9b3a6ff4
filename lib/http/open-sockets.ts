import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Keeps track of the open sockets of all connections, so that `destroy` can close every one. */
export interface OpenSockets {
  /** A connector whose sockets are tracked; after `destroy` it closes each new socket at once. */
  tracked(connector: buildConnector.connector): buildConnector.connector;
  destroy(): void;
}

/**
 * Undici loses track of a socket if its client is destroyed between the connection and the end of its set-up. Such
 * a socket would stay open and keep the process alive.
 */
export function createOpenSockets(): OpenSockets {
  const sockets = new Set<Socket>();
  let closed = false;
  return {
    tracked: (connector) => (options, callback) =>
      connector(options, (...result) => {
        // A failed connection passes no second argument.
        const socket: Socket | null | undefined = result[1];
        if (socket != null) {
          sockets.add(socket);
          socket.once('close', () => sockets.delete(socket));
          if (closed) socket.destroy();
        }
        callback(...result);
      }),
    destroy() {
      closed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
