import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to the platform that stops in the middle of one request, so that something can happen meanwhile. */
export interface HeldLine extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the line stands still. */
  readonly held: Promise<void>;
  /** Lets go on what stands still. */
  release(): void;
  /** Breaks it: what stands still is lost. */
  cut(): void;
}

export interface Hold {
  /** What the request begins with. */
  readonly request: RegExp;
  /** `upload`: the platform gets the head and the first 200 bytes; `answer`: it gets all, and answers to nobody. */
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
    // The platform may have said all and hung up while the answer stands still.
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
        // The next request on this connection begins anew.
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
