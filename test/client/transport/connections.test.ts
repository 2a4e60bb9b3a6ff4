import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { clientFor, errorOf, good } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

test('reads reuse connections', async () => {
  const sockets = new Set<unknown>();
  await using server = await serve((response) => {
    sockets.add(response.socket);
    reply(response, 200, good.safe);
  });
  const { client } = clientFor(server.baseUrl);
  for (let call = 0; call < 5; call += 1) await client.projects.list();
  // A connection becomes free shortly after its answer was read, so the second call may open a second one.
  expect(sockets.size).toBeLessThanOrEqual(2);
});

test('the global dispatcher is not used', async () => {
  await using server = await serve((response) => reply(response, 200, good.safe));
  const before = getGlobalDispatcher();
  const trap = new MockAgent();
  trap.disableNetConnect();
  setGlobalDispatcher(trap);
  try {
    const { client } = clientFor(server.baseUrl);
    expect(await client.projects.list()).toEqual(good.safe);
  } finally {
    setGlobalDispatcher(before);
    await trap.close();
  }
});

test('a dispatcher from the options is used and not closed', async () => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent.get('http://platform.example.com').intercept({ path: '/v1/projects' }).reply(200, good.safe).times(2);
  const open = () => clientFor('http://platform.example.com', { dispatcher: agent }).client;
  for (const client of [open(), open()]) {
    expect(await client.projects.list()).toEqual(good.safe);
    await client.close();
  }
  await agent.close();
});

describe('a process that used a client', () => {
  test.each(['await client.close();', ''])(
    'ends without a forced exit (%j before its end)',
    async (closing) => {
      await using server = await serve((response) => reply(response, 200, good.safe));
      const script = `
      import { createClient } from ${JSON.stringify(new URL('../../../client/index.ts', import.meta.url).href)};
      const client = createClient({ baseUrl: ${JSON.stringify(server.baseUrl)}, auth: { token: 'secret-token' } });
      console.log((await client.projects.list()).total);
      ${closing}`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const code = await new Promise((resolve) => child.on('close', resolve));
      expect({ code, output }).toEqual({ code: 0, output: '0\n' });
    },
  );
});

test('a client that is closed during its first connection leaves no socket open', async () => {
  const script = `
    import { createServer } from 'node:net';
    import { createClient } from ${JSON.stringify(new URL('../../../client/index.ts', import.meta.url).href)};
    import { subscribe } from 'node:diagnostics_channel';
    const cancel = new AbortController();
    const server = createServer((socket) => socket.unref());
    // Just when the connection is there, and undici sets it up.
    subscribe('net.client.socket', ({ socket }) => socket.once('connect', () => cancel.abort()));
    await new Promise((resolve) => server.unref().listen(0, '127.0.0.1', resolve));
    // Ends the process only where a socket keeps it alive.
    setTimeout(() => process.exit(9), 10_000).unref();
    const baseUrl = 'http://127.0.0.1:' + server.address().port;
    const client = createClient({ baseUrl, auth: { token: 'secret-token' } });
    await client.projects.list({}, { signal: cancel.signal }).then(console.log, (error) => console.log(error.code));
    await client.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, output }).toEqual({ code: 0, output: 'cancelled\n' });
});

test('closing waits for active calls', async () => {
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using server = await serve(async (response) => {
    arrived.resolve();
    await answer.promise;
    reply(response, 200, good.safe);
  });
  const { client } = clientFor(server.baseUrl);
  const call = client.projects.list().then((page) => page);
  await arrived.promise;
  const closed = client.close();
  answer.resolve();
  expect(await call).toEqual(good.safe);
  await closed;
});

test('closing waits for calls that wait for a repetition', async () => {
  await using server = await serve((response, _, nth) => reply(response, nth < 3 ? 503 : 200, good.safe));
  const { client } = clientFor(server.baseUrl, { clock: systemClock });
  const call = client.exchange('projects.list');
  await server.arrived(1);
  await client.close();
  expect(await call).toMatchObject({ attempts: 3, answer: good.safe });
});

test('a client can be closed twice, and a later call fails because it is closed', async () => {
  await using server = await serve((response) => reply(response, 200, good.safe));
  const { client } = clientFor(server.baseUrl);
  await client.projects.list();
  await client.close();
  await client.close();
  await expect(client.projects.list()).rejects.toThrow('The client is closed.');
  expect(server.received.length).toBe(1);
});

describe('a proxy', () => {
  test('carries the call to its address, but not to an address in NO_PROXY', async () => {
    await using server = await serve((response) => reply(response, 200, good.safe));
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (incoming, socket) => {
      tunnels.push(incoming.url ?? '');
      const { hostname, port } = new URL(`http://${incoming.url ?? ''}`);
      const upstream = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [socket, upstream]) end.on('error', () => {});
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const http = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { client: through } = clientFor(server.baseUrl, { proxy: { http } });
    await through.projects.list();
    expect(tunnels).toEqual([new URL(server.baseUrl).host]);
    const { client: past } = clientFor(server.baseUrl, { proxy: { http, no: '127.0.0.1' } });
    await past.projects.list();
    expect(tunnels.length).toBe(1);
    await through.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  test('that refuses the tunnel proves that nothing was sent', async () => {
    const proxy = createServer().on('connect', (_, socket) =>
      socket.on('error', () => {}).end('HTTP/1.1 407 Who are you\r\n\r\n'),
    );
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const http = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { client } = clientFor('http://platform.example.com', { proxy: { http } });
    const start = { projectId: 'p', pipelineName: 'a', environmentName: 'dev' };
    expect(await errorOf(client.executions.start(start))).toMatchObject({ code: 'unreachable', attempts: 1 });
    proxy.close();
  });
});

test.each(['proxy.example.com:3128', 'socks5://user:secret@127.0.0.1', 'http://'])(
  'an invalid proxy address (%s) is rejected at once without being quoted',
  (proxy) => {
    const open = () => clientFor('http://platform.example.com', { proxy: { http: proxy } });
    expect(open).toThrow(expect.objectContaining({ code: 'usage', where: { input: 'proxy' } }));
    expect(open).not.toThrow(/secret/);
  },
);

test('an https address of a plain http server is unreachable after one attempt', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const client = createClient({
    baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    auth: { token: 'secret-token' },
  });
  const start = { projectId: 'p', pipelineName: 'a', environmentName: 'dev' };
  const error = await errorOf(client.executions.start(start));
  expect(error).toMatchObject({ code: 'unreachable', attempts: 1 });
  server.close();
});
