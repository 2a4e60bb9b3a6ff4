import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  /** The request line's target, byte by byte. */
  readonly target: string;
  /** Names and values in the original spelling and order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface Answering extends AsyncDisposable {
  readonly baseUrl: string;
  readonly received: Received[];
  /** Resolves when this number of requests has been read completely. */
  arrived(count?: number): Promise<void>;
}

/** Answers the nth request; called when the request has been read completely. */
export type Answer = (response: ServerResponse, request: Received, nth: number) => void | Promise<void>;

/** An HTTP server that records its requests; with TLS where a certificate is given. */
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
      // The client aborted the request.
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

/** Answers with JSON, or with an empty body where `json` is absent. */
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
