import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Moment, Watch } from './moment.ts';

/** A line to an HTTP service that sees every request and its answer. */
export interface HttpLine extends AsyncDisposable {
  readonly url: string;
}

export async function openHttpLine(line: Moment['line'], target: string, watch: Watch): Promise<HttpLine> {
  const { origin, pathname } = new URL(target);

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const method = incoming.method ?? '';
    const path = incoming.url ?? '';
    const moment = {
      line,
      label: `${method} ${labelOf(path)}`,
      text: `${method} ${path} ${body.toString('utf8')}`,
    };
    if ((await watch({ ...moment, phase: 'before' })) === 'cut') return void incoming.socket.destroy();
    const { host: _, ...headers } = incoming.headers;
    const onward = send(new URL(path, origin), { method, headers });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const answered = await buffer(answer);
    if ((await watch({ ...moment, phase: 'after' })) === 'cut') return void incoming.socket.destroy();
    const { 'transfer-encoding': _dropped, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 500, kept);
    outgoing.end(answered);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A path without ids, versions and queries. */
function labelOf(path: string): string {
  const [address = '', query = ''] = path.split('?');
  const environment = /environmentName=([a-z]+)/.exec(query)?.[1];
  const named = decodeURIComponent(address)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{40}|(?<=\/)\d+(?=\/|$)|v\d+\.\d+\.\d+/g, '*')
    .replace(/^\/(?:v1\/projects\/\*|api\/v3\/(?:repos\/example\/warehouse)?)\/?/, '/');
  return environment === undefined ? named : `${named}?${environment}`;
}
