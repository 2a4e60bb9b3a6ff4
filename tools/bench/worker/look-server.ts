import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A look at an execution, as it came in. */
export interface Look {
  readonly id: string;
  /** First part of the path: who looks. */
  readonly by: string;
  /** `performance.now()`. */
  readonly at: number;
}

/** What a look is answered; `hang`: nothing. */
export type Verdict = 'running' | 'success' | 'too many' | 'hang';

export interface LookServer extends AsyncDisposable {
  /** Base address for one that looks. */
  urlFor(by: string): string;
}

const times = { startedAt: '2031-01-01T12:00:00.000Z' };

/** The least of a platform: executions that can be looked at; and of a GitHub: whatever is written is taken. */
export async function startLookServer(judge: (look: Look) => Verdict): Promise<LookServer> {
  const server = createServer((request, response) => {
    const [, by = '', area] = (request.url ?? '').split('/');
    if (area === 'github') {
      request.resume();
      return send(response, request.method === 'POST' ? 201 : 404, { id: 1 });
    }
    const id = (request.url ?? '').split('/').at(-1) ?? '';
    const verdict = judge({ id, by, at: performance.now() });
    if (verdict === 'hang') return;
    if (verdict === 'too many') return send(response, 429, { error: 'too many', status: 429 });
    const status = verdict === 'running' ? 'RUNNING' : 'SUCCESS';
    const ended = verdict === 'running' ? {} : { finishedAt: '2031-01-01T12:10:00.000Z' };
    send(response, 200, { result: { status, ...times, ...ended } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (by) => `http://127.0.0.1:${port}/${by}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
  response.end(text);
}
