import { createServer, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createDelivery, sendDelivery } from '../../../cli/webhook/delivery.ts';
import { connectGitHub } from '../../../lib/github/workflow-run/connect-github.ts';
import { bypassesProxy } from '../../../lib/http/no-proxy.ts';
import { type ProxySettings, proxyOf } from '../../../lib/http/proxy-settings.ts';
import { openPoster } from '../../../worker/reporting/webhook/post-notification.ts';
import { inProcess } from '../../cli/in-process.ts';
import { clientFor, errorOf } from '../../client/client-for.ts';
import { instantClock } from '../../client/instant-clock.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Proxy {
  readonly url: string;
  /** The first lines that it got, one for each connection. */
  readonly asked: string[];
  readonly connections: () => number;
}

/** A proxy, and what it does with a connection. */
async function startProxy(act: (socket: Socket, line: string) => void, atOnce = false): Promise<Proxy> {
  let connections = 0;
  const asked: string[] = [];
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    if (atOnce) return act(socket, '');
    socket.once('data', (head: Buffer) => {
      const [line = ''] = head.toString('latin1').split('\r\n');
      asked.push(line.replace(/ HTTP\/1\.1$/u, ''));
      act(socket, line);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { url: `http://127.0.0.1:${String(port)}`, asked, connections: () => connections };
}

const through = ({ url }: Proxy): ProxySettings => ({ http: url, https: url });
const granted = 'HTTP/1.1 200 OK\r\n\r\n';
const reset = (socket: Socket): void => void socket.resetAndDestroy();

describe('a proxy', () => {
  test.each<[string, (socket: Socket) => void, string, boolean?]>([
    ['reads the request for a tunnel and closes', (socket) => socket.end(), 'unreachable'],
    ['reads it and resets the connection', reset, 'unreachable'],
    ['closes at once', (socket) => socket.end(), 'unreachable', true],
    ['ends in the middle of its answer', (socket) => socket.end('HTTP/1.1 200 O'), 'unreachable'],
    ['opens the tunnel and closes it', (socket) => socket.end(granted), 'no-answer'],
    ['opens it and resets it', (socket) => void socket.write(granted, () => reset(socket)), 'no-answer'],
  ])('that %s gets one connection for each attempt, and the call fails', async (_, act, plain, atOnce) => {
    for (const [scheme, code] of [
      ['http', plain],
      ['https', 'unreachable'],
    ] as const) {
      const proxy = await startProxy(act, atOnce);
      const address = `${scheme}://platform.invalid`;
      const { client } = clientFor(address, { proxy: through(proxy), maxAttempts: 3 });
      expect([(await errorOf(client.projects.list())).code, proxy.connections()]).toEqual([code, 3]);
      await client.close();
    }
  });

  test('that closes stops each other way out after a bounded number of attempts', async () => {
    const proxy = await startProxy((socket) => socket.end());
    const text = 'the proxy closed the connection without an answer';

    const options = { apiUrl: 'https://github.invalid', token: 't', repository: 'demo/warehouse' };
    const { refs } = connectGitHub({ ...options, clock: instantClock(), proxy: through(proxy) });
    await expect(refs.branches('demo/warehouse')).rejects.toThrow(text);
    expect(proxy.connections()).toBe(3);

    const poster = openPoster(through(proxy));
    closing.push(() => void poster.close());
    expect(await poster.post('https://receiver.invalid/hook', {}, '{}')).toEqual({
      status: 'refused',
      reason: expect.stringContaining(text),
    });
    expect(proxy.connections()).toBe(4);

    const delivery = await createDelivery('http://worker.invalid/webhooks/github', 'ping', {}, undefined);
    const { signal } = new AbortController();
    await expect(sendDelivery(delivery, { proxy: through(proxy), signal })).rejects.toThrow(text);
    expect(proxy.connections()).toBe(5);

    const env = { MILLRACE_WORKER_URL: 'http://worker.invalid', MILLRACE_WORKER_TOKEN: 'token-of-ada' };
    const asked = await inProcess(['lanes'], { env: { ...env, HTTP_PROXY: proxy.url } });
    expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining(text)]);
    expect(proxy.asked.slice(3)).toEqual([
      'CONNECT receiver.invalid:443',
      'CONNECT worker.invalid:80',
      'CONNECT worker.invalid:80',
    ]);
    expect(proxy.connections()).toBe(6);
  });

  test('carries a notification to its receiver, but not to an address in NO_PROXY', async () => {
    let received = 0;
    const receiver = await startProxy((socket) => {
      received += 1;
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    });
    const { port } = new URL(receiver.url);
    const proxy = await startProxy((socket) => {
      const onward = connect(Number(port), '127.0.0.1', () => {
        socket.write(granted);
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
    });
    const poster = openPoster({ ...through(proxy), no: '127.0.0.0/8' });
    closing.push(() => void poster.close());
    expect(await poster.post('http://receiver.invalid/hook', {}, '{}')).toEqual({ status: 'delivered' });
    expect(await poster.post(`${receiver.url}/hook`, {}, '{}')).toEqual({ status: 'delivered' });
    expect([received, proxy.asked]).toEqual([2, ['CONNECT receiver.invalid:80']]);
  });
});

test.each([
  // Names.
  ['http://a.example.com', '*', true],
  ['http://a.example.com', 'example.com', true],
  ['http://a.example.com', '.example.com', true],
  ['http://example.com', '*.example.com', true],
  ['http://example.com', '.example.com', true],
  ['http://EXAMPLE.com', 'Example.COM', true],
  ['http://example.com.', 'example.com', true],
  ['http://example.com', 'example.com.', true],
  ['http://badexample.com', 'example.com', false],
  ['http://a.example.com', 'other.com, a.example.com', true],
  ['http://a.example.com', 'other.com a.example.com', true],
  ['https://a.example.com', 'a.example.com:443', true],
  ['http://a.example.com', 'a.example.com:443', false],
  ['http://grün.example.com', 'grün.example.com', true],
  ['http://localhost:8080', 'localhost', true],
  ['http://127.0.0.1', 'localhost', false],
  ['http://a.example.com', '', false],
  ['http://a.example.com', ' , .', false],
  ['http://a.example.com', undefined, false],
  // Addresses, with and without brackets and ports.
  ['http://127.0.0.1:4100', '127.0.0.1', true],
  ['http://127.0.0.1:4100', '127.0.0.1:4100', true],
  ['http://127.0.0.1:4100', '127.0.0.1:80', false],
  ['http://127.0.0.1', '0.0.1', false],
  ['http://[::1]:4100', '::1', true],
  ['http://[::1]', '[::1]', true],
  ['http://[::1]:4100', '[::1]:4100', true],
  ['http://[::1]:4100', '[::1]:80', false],
  ['http://[::1]', '0:0:0:0:0:0:0:1', true],
  ['http://[::2]', '::1', false],
  // Networks.
  ['http://127.0.0.1', '127.0.0.0/8', true],
  ['http://128.0.0.1', '127.0.0.0/8', false],
  ['http://10.1.2.3', '10.1.2.0/24,10.9.0.0/16', true],
  ['http://10.1.3.3', '10.1.2.0/24', false],
  ['http://[fd00::7]', 'fd00::/8', true],
  ['http://[fd00::7]', '[fd00::]/8', true],
  ['http://[fe80::7]', 'fd00::/8', false],
  ['http://10.1.2.3', '::/0', false],
  ['http://10.1.2.3', '10.0.0.0/33', false],
  ['http://10.1.2.3', '10.0.0.0/x', false],
  ['http://a.example.com', '0.0.0.0/0', false],
  // Patterns.
  ['http://127.0.0.1', '127.*', true],
  ['http://127.0.0.1:81', '127.*:81', true],
  ['http://10.127.0.1', '127.*', false],
  ['http://build-7.example.com', 'build-*.example.com', true],
  ['http://build-7.example.org', 'build-*.example.com', false],
])('%s with NO_PROXY %j: bypass is %j', (url, list, expected) => {
  expect(bypassesProxy(new URL(url), list)).toBe(expected);
});

test('the variables in lower case win, and an address without a scheme is one of http', () => {
  expect(
    proxyOf({ http_proxy: 'one:1', HTTP_PROXY: 'http://two:2', HTTPS_PROXY: 'https://three', NO_PROXY: 'x' }),
  ).toEqual({
    http: 'http://one:1',
    https: 'https://three',
    no: 'x',
  });
  expect(proxyOf({ http_proxy: '', HTTP_PROXY: 'http://two:2' })).toMatchObject({ http: '' });
});
