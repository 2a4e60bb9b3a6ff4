import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createPooledFetch, type FetchRequest } from '../../../../lib/github/access/pooled-fetch.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Sends a request to a server; `sockets` counts its connections. */
async function open(answer: RequestListener, timeoutMs = 15_000) {
  const server = createServer(answer);
  let sockets = 0;
  server.on('connection', () => (sockets += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = createPooledFetch({ timeoutMs });
  const send = async (request: Partial<FetchRequest> = {}) =>
    fetch(`${url}/a?b=c`, { method: 'GET', headers: { 'x-one': '1' }, ...request });
  return { send, sockets: () => sockets };
}

test('requests share connections, and have method, path, headers and body', async () => {
  const seen: string[] = [];
  const { send, sockets } = await open((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-one'])} ${body}`);
      response.writeHead(201, { 'X-Two': '2' }).end('é');
    });
  });
  const answer = await send({ method: 'POST', body: '{"é":1}' });
  await send();
  expect(seen).toEqual(['POST /a?b=c 1 {"é":1}', 'GET /a?b=c 1 ']);
  expect([answer.status, answer.headers.get('x-two'), await answer.text()]).toEqual([201, '2', 'é']);
  expect(await new Response(answer.body).text()).toBe('é');
  for (let i = 0; i < 4; i += 1) await send();
  // The next request may be sent a moment before the first connection is free again.
  expect(sockets()).toBeLessThanOrEqual(2);
});

test('a compressed answer is decoded', async () => {
  const { send } = await open((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
  });
  expect(await (await send()).text()).toBe('{"a":1}');
});

test.each([
  ['a redirect', 302, /unexpected redirect/],
  ['an answer that cannot be decoded', 200, /cannot be decoded/],
])('%s is an error', async (_, status, message) => {
  const { send } = await open((__, response) =>
    response.writeHead(status, { location: '/other', 'content-encoding': 'gzip' }).end('x'),
  );
  await expect(send()).rejects.toThrow(message);
});

test('a server that does not answer in time, or not to the end, and a cancelled request end', async () => {
  const silent = await open(() => {}, 50);
  await expect(silent.send()).rejects.toThrow('no answer within 50 ms');
  const half = await open(
    (_, response) => void response.writeHead(200, { 'content-length': '9' }).write('x'),
    50,
  );
  await expect(half.send()).rejects.toThrow('no answer within 50 ms');
  const cancel = new AbortController();
  const asked = Promise.withResolvers<void>();
  const waiting = await open(() => asked.resolve());
  const sent = waiting.send({ signal: cancel.signal });
  await asked.promise;
  cancel.abort(new Error('enough'));
  await expect(sent).rejects.toThrow('enough');
  await expect(waiting.send({ signal: cancel.signal })).rejects.toThrow('enough');
});
