import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { benchVersion } from './policy-for.ts';

/** A poll of an execution, as received. */
export interface Poll {
  readonly id: string;
  /** The first part of the path: the poller. */
  readonly by: string;
  /** `performance.now()`. */
  readonly at: number;
}

/** The answer to a poll; `hang`: no answer. */
export type Verdict = 'running' | 'success' | 'too many' | 'hang';

export interface PollServer extends AsyncDisposable {
  /** The base address for a poller. */
  urlFor(by: string): string;
}

const liveVersions = {
  page: 0,
  size: 100,
  total: 1,
  results: [
    {
      versionName: benchVersion,
      environmentName: 'test',
      enabled: true,
      createdAt: '2031-01-01T12:00:00.000Z',
    },
  ],
};

const times = { startedAt: '2031-01-01T12:00:00.000Z' };

/** A minimal platform, whose executions can be polled, and a minimal GitHub, which accepts every write. */
export async function startPollServer(judge: (poll: Poll) => Verdict): Promise<PollServer> {
  const server = createServer((request, response) => {
    const [, by = '', area] = (request.url ?? '').split('/');
    if (area === 'github') {
      request.resume();
      return send(response, request.method === 'POST' ? 201 : 404, { id: 1 });
    }
    // The worker also reads which version is live. That is not a poll of an execution.
    if ((request.url ?? '').includes('/artifacts/')) return send(response, 200, liveVersions);
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
