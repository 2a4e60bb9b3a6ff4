import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that takes notifications, and answers as the test sets it. */
export async function startReceiver(answer: (count: number) => number | 'drop' = () => 204) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const take = (body: string) => {
      received.push({ headers: request.headers, body });
      const status = answer(received.length);
      if (status === 'drop') return request.socket.destroy();
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {});
      return response.end();
    };
    // Anyone who is stopped in the middle of sending hangs up.
    void text(request).then(take, () => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}
