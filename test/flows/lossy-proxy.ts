import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What the proxy does with a request. */
export type ProxyAction = 'pass' | 'lose-answer' | 'lose-request' | 'answer-500';

/** A proxy to the platform that records requests and can lose them or their answers. */
export interface LossyProxy {
  readonly url: string;
  /** `POST /v1/projects/…/artifacts`, in order; query left out. */
  readonly seen: readonly string[];
  /** Decides each request from now on; everything passes until then. */
  decide(action: (line: string) => ProxyAction): void;
  close(): Promise<void>;
}

export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const seen: string[] = [];
  let decide: (line: string) => ProxyAction = () => 'pass';

  function handle(incoming: IncomingMessage, answer: ServerResponse): void {
    const url = incoming.url ?? '/';
    const line = `${incoming.method ?? ''} ${url.split('?')[0] ?? ''}`;
    seen.push(line);
    const action = decide(line);
    if (action === 'lose-request') {
      incoming.resume();
      incoming.on('end', () => incoming.socket.destroy());
      return;
    }
    const onward = request(
      new URL(url, target),
      { method: incoming.method ?? 'GET', headers: incoming.headers },
      (back) => {
        if (action === 'lose-answer') {
          // Processed, then the connection is dropped.
          back.resume();
          back.on('end', () => incoming.socket.destroy());
        } else if (action === 'answer-500') {
          back.resume();
          back.on('end', () => {
            answer.writeHead(500, { 'content-type': 'application/json' });
            answer.end('{"error":"it broke","status":500}');
          });
        } else {
          answer.writeHead(back.statusCode ?? 502, back.headers);
          back.pipe(answer);
        }
      },
    );
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  }

  const server = createServer(handle);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return {
    url: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`,
    seen,
    decide(action) {
      decide = action;
    },
    async close() {
      server.closeAllConnections();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}
