import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** The sockets that connections were made over, so that closing leaves none behind. */
export interface OpenSockets {
  /** A connector whose sockets are remembered; after `destroy` it hands out none. */
  tracked(connector: buildConnector.connector): buildConnector.connector;
  destroy(): void;
}

/**
 * undici forgets a socket whose client is destroyed between the connection and the end of its set-up, which includes
 * loading the parser once per process: the socket then stays open and keeps the process alive.
 */
export function createOpenSockets(): OpenSockets {
  const sockets = new Set<Socket>();
  let closed = false;
  return {
    tracked: (connector) => (options, callback) =>
      connector(options, (...result) => {
        // Of a connection that failed there is no second argument at all.
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
