import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  /** The request line's target, byte by byte. */
  readonly target: string;
  /** Names and values as they were written, in order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface Answering extends AsyncDisposable {
  readonly baseUrl: string;
  readonly received: Received[];
  /** Resolves when so many requests have been read to their ends. */
  arrived(count?: number): Promise<void>;
}

/** Answers the nth request; it is called when the request has been read to its end. */
export type Answer = (response: ServerResponse, request: Received, nth: number) => void | Promise<void>;

/** An HTTP server that keeps what it was sent; over TLS where it is given a certificate. */
export async function serve(
  answer: Answer,
  tls?: { readonly cert: string; readonly key: string },
): Promise<Answering> {
  const received: Received[] = [];
  const watchers = new Set<() => void>();
  const attend = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      received.push(await readRequest(incoming));
    } catch {
      // The client broke off.
      response.destroy();
      return;
    }
    const nth = received.length;
    for (const look of watchers) look();
    await answer(response, received[nth - 1] as Received, nth);
  };
  const listener = (incoming: IncomingMessage, response: ServerResponse): void =>
    void attend(incoming, response);
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    arrived: (count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Answers JSON, or an empty body where there is none. */
export function reply(
  response: ServerResponse,
  status: number,
  json?: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  });
  response.end(json === undefined ? undefined : JSON.stringify(json));
}

async function readRequest(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers: [string, string][] = [];
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    headers.push([incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '']);
  }
  return {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers,
    body: Buffer.concat(chunks),
  };
}
