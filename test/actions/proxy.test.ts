import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { secretForms } from '../../lib/core/text/redactor.ts';
import { createActionEnvironment, repository, type ActionEnvironment } from './action-environment.ts';

interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** `CONNECT localhost:9`, in order. */
  readonly asked: readonly string[];
}

/** A proxy that maps addresses without a server to addresses on this machine. */
async function startProxy(hosts: Readonly<Record<string, string>>): Promise<Proxy> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (head) => {
      const [line = ''] = head.toString('latin1').split('\r\n');
      asked.push(line.replace(/ HTTP\/1\.1$/u, ''));
      const [, host = ''] = /^CONNECT (\S+) /u.exec(line) ?? [];
      const target = hosts[host];
      if (target === undefined) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      const onward = connect(Number(new URL(target).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    asked,
    [Symbol.asyncDispose]: async () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const action = 'actions/publish';
const tag = 'refs/tags/v1.0.0';
const nowhere = 'http://127.0.0.1:1';
let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createActionEnvironment();
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

test.each([
  ['HTTP_PROXY', 'NO_PROXY'],
  ['http_proxy', 'no_proxy'],
])('the platform and GitHub are reached through %s, but for hosts of %s', async (name, none) => {
  await using proxy = await startProxy({
    // The local platform answers to names of this machine only; nothing listens on that port.
    'localhost:9': testEnvironment.platform.baseUrl,
    'github.invalid:80': testEnvironment.github.url,
  });
  const address = `http://ada:s3cret-of-ada@127.0.0.1:${String(proxy.port)}`;
  const through = await testEnvironment.push(tag, {
    action,
    inputs: { 'base-url': 'http://localhost:9', deployment: 'true' },
    as: 'deployer',
    more: { env: { [name]: address }, apiUrl: 'http://github.invalid/api/v3' },
  });
  expect([through.exitCode, through.outputs['outcome'], through.log]).toEqual([
    0,
    'passed',
    expect.any(String),
  ]);
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT localhost:9', 'CONNECT github.invalid:80']));
  expect(testEnvironment.github.repository(repository).deployments).toHaveLength(1);
  for (const form of secretForms('s3cret-of-ada')) expect(through.raw).not.toContain(form);

  const around = await testEnvironment.push(tag, {
    action,
    inputs: { version: 'v1.1.0', deployment: 'true' },
    as: 'deployer',
    more: { env: { [name]: nowhere, [none]: '127.0.0.1' } },
  });
  expect([around.exitCode, testEnvironment.github.repository(repository).deployments.length]).toEqual([0, 2]);
});

test('an unreachable proxy is reported without its password', async () => {
  const env = { HTTP_PROXY: 'http://ada:s3cret-of-ada@127.0.0.1:1' };
  const result = await testEnvironment.push(tag, {
    action,
    inputs: { 'base-url': 'http://platform.invalid' },
    more: {
      env: { ...env, NODE_OPTIONS: `--import=${new URL('hurried-timers.mjs', import.meta.url).href}` },
    },
  });
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([3, 'Millrace: unreachable']);
  for (const form of secretForms('s3cret-of-ada')) expect(result.raw).not.toContain(form);
});
