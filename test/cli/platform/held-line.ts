import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to the platform that pauses during one request, so that a test can act at this point. */
export interface HeldLine extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the connection has paused. */
  readonly held: Promise<void>;
  /** Continues the paused request. */
  release(): void;
  /** Closes the connection: the paused request is lost. */
  cut(): void;
}

export interface Hold {
  /** The start of the request to pause. */
  readonly request: RegExp;
  /** `upload`: the platform gets the headers and the first 200 bytes; `answer`: it gets everything, and its answer is held. */
  readonly at: 'upload' | 'answer';
}

export async function openHeldLine(target: string, hold: Hold): Promise<HeldLine> {
  const { promise: held, resolve: holds } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.on('close', () => far.destroy());
    // The platform may have closed the connection while its answer is held.
    far.on('close', () => (answering ? void released.then(() => near.end()) : near.destroy()));
    let seen = Buffer.alloc(0);
    let passed = 0;
    let answering = false;
    near.on('data', (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      const head = seen.indexOf('\r\n\r\n');
      const stops = hold.at === 'upload' && hold.request.test(seen.toString('latin1'));
      const upTo = stops && head >= 0 ? Math.min(seen.length, head + 204) : seen.length;
      far.write(seen.subarray(passed, upTo));
      passed = upTo;
      if (upTo < seen.length) holds();
    });
    far.on('data', (chunk: Buffer) => {
      if (hold.at !== 'answer' || !hold.request.test(seen.toString('latin1'))) {
        near.write(chunk);
        // Reset for the next request on this connection.
        [seen, passed] = [Buffer.alloc(0), 0];
        return;
      }
      holds();
      answering = true;
      void released.then(() => near.write(chunk));
    });
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    release,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
