import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../lib/core/errors/failure.ts';
import {
  commandsOfScripts,
  neededOnCluster,
  neededRights,
} from '../../../lib/redis/connection/needed-rights.ts';
import { checkRedis } from '../../../lib/redis/connection/redis-facts.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { startRedisCluster } from '../../environment/redis-cluster.ts';
import { type RedisProxy, startRedisProxy } from '../../environment/redis-proxy.ts';
import { testRedis } from '../../environment/redis.ts';
import { ended, pushed, release, toTest } from '../../environment/worker/lanes-at-work.ts';
import { askWorker, createWorkerEnvironment } from '../../environment/worker/worker-environment.ts';
import { selfSigned } from './self-signed.ts';

const redis = testRedis();
const root = path.resolve(import.meta.dirname, '../../..');

/** The failure with an address, which is a refusal of the start. */
async function failureWith(url: string): Promise<Failure> {
  const failure = await checkRedis({ kind: 'url', url }).catch((error: unknown) => error);
  return failure instanceof Failure ? failure : expect.unreachable(String(failure));
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The test’s Redis on a port, until the test ends. */
async function onPort(): Promise<RedisProxy> {
  const { address } = redis;
  const proxy = await startRedisProxy(address.kind === 'socket' ? address.path : '');
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

const withUser = ({ address: { url } }: RedisProxy, user: string): string => url.replace('//', `//${user}@`);

test.each([
  ['redis://no-such-host.invalid:6379', /(?:cannot be found|ENOTFOUND|EAI_AGAIN)/, /host/],
  ['redis://127.0.0.1:1', /nothing listens at this port/, /start that Redis/],
  ['/nowhere/redis.sock', /there is no such socket/, /Correct the path/],
  ['redis+sentinel://127.0.0.1:1/main', /nothing listens at this port/, /start that Redis/],
  ['redis+cluster://127.0.0.1:1/', /nothing listens at this port/, /start that Redis/],
])('%s: the reason is named', async (url, message, hint) => {
  expect(await failureWith(url)).toMatchObject({
    code: 'redis-unreachable',
    message: expect.stringMatching(message) as string,
    hint: expect.stringMatching(hint) as string,
    where: { input: 'MILLRACE_REDIS_URL' },
  });
});

test.each([
  ['redis://:pa/ss@127.0.0.1:1', 'contains /', 'Write it as %2F'],
  ['redis://:pa@ss@127.0.0.1:1', 'contains @', 'Write it as %40'],
  ['redis://:pa#ss@127.0.0.1:1', 'contains #', 'Write it as %23'],
  ['redis://:pa?ss@127.0.0.1:1', 'contains ?', 'Write it as %3F'],
  ['redis://:pa%ss@127.0.0.1:1', 'contains %', 'Write it as %25'],
  ['redis://:pa ss@127.0.0.1:1', 'contains a space', 'Write it as %20'],
  ['http://:pa+ss@127.0.0.1:1', 'a scheme that Redis does not use', 'redis+cluster://'],
  ['redis://127.0.0.1:1/main', 'not a valid address', 'number of the database'],
  ['redis://127.0.0.1:66666', 'not a valid address', '<port>'],
  ['redis+cluster://:pa/ss@one,two/', 'not a valid address of a Redis Cluster', 'such as %40 for @'],
  ['redis+sentinel://:pa/ss@one,two/main', 'not a valid address of Sentinels', 'such as %40 for @'],
])('%s is refused before a connection, without the password', async (url, message, hint) => {
  const failure = await failureWith(url);
  expect(failure).toMatchObject({
    code: 'usage',
    message: expect.stringContaining(message) as string,
    hint: expect.stringContaining(hint) as string,
  });
  expect(`${failure.message} ${failure.hint}`).not.toMatch(/ss@|pa[/@#?%+ ]/);
});

test('a server that does not speak TLS, that expects it, or that is none of Redis is named as what it is', async () => {
  const proxy = await onPort();
  expect(await failureWith(proxy.address.url.replace('redis:', 'rediss:'))).toMatchObject({
    message: expect.stringMatching(/does not speak TLS|closed the connection/) as string,
    hint: expect.stringMatching(/rediss?:\/\//) as string,
  });
  const tls = await portOf(createTlsServer(selfSigned).on('tlsClientError', () => undefined));
  expect(await failureWith(`redis://127.0.0.1:${tls}`)).toMatchObject({
    message: expect.stringMatching(/expects TLS|closed the connection/) as string,
    hint: expect.stringContaining('rediss://') as string,
  });
  expect(await failureWith(`rediss://127.0.0.1:${tls}`)).toMatchObject({
    message: expect.stringContaining('certificate that no known authority has signed') as string,
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
  });
  const http = await portOf(createHttpServer());
  expect(await failureWith(`redis://127.0.0.1:${http}`)).toMatchObject({
    message: expect.stringContaining('answers, but not as Redis does') as string,
  });
  const closes = await portOf(createServer((socket) => void socket.once('data', () => socket.end())));
  expect(await failureWith(`redis://127.0.0.1:${closes}`)).toMatchObject({
    message: expect.stringContaining('closed the connection before it answered') as string,
  });
});

test('a wrong password, a missing one, a missing database, a replica and a missing right are named', async () => {
  const proxy = await onPort();
  const admin = redis.connect();
  expect(await failureWith(withUser(proxy, 'nobody:wrong'))).toMatchObject({
    code: 'redis-unreachable',
    message: expect.stringContaining('refused the user or the password') as string,
  });
  expect(await failureWith(`${proxy.address.url}/99`)).toMatchObject({
    message: expect.stringContaining('does not have the database') as string,
  });
  await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>other');
  try {
    expect(await failureWith(proxy.address.url)).toMatchObject({
      message: expect.stringContaining('needs a password') as string,
    });
  } finally {
    await admin.call('ACL', 'SETUSER', 'default', 'nopass');
  }
  await admin.replicaof('127.0.0.1', 1);
  try {
    expect(await failureWith(proxy.address.url)).toMatchObject({
      code: 'redis-unsuitable',
      message: expect.stringContaining('is a replica of 127.0.0.1:1') as string,
      hint: expect.stringContaining('to the master') as string,
    });
  } finally {
    await admin.replicaof('NO', 'ONE');
  }
  const rights = neededRights.split(' ');
  for (const [user, given, refused] of [
    ['no-hashes', rights.filter((one) => one !== '+@hash'), 'HGET, '],
    ['no-evalsha', rights.filter((one) => one !== '+evalsha'), 'Refused: EVALSHA.'],
    ['no-blocking', [...rights, '-bzpopmin'], 'Refused: BZPOPMIN.'],
    ['no-keys', rights.filter((one) => !one.startsWith('~')), 'the keys {millrace}:*'],
  ] as const) {
    await admin.call('ACL', 'SETUSER', user, 'on', '>secret', ...given);
    expect(await failureWith(withUser(proxy, `${user}:secret`))).toMatchObject({
      code: 'redis-unsuitable',
      message: expect.stringContaining(refused) as string,
      hint: expect.stringContaining(neededRights) as string,
    });
  }
});

test('a node of a cluster, and a Redis that is none, are refused with the address to write instead', async () => {
  await using cluster = await startRedisCluster();
  const [{ port }] = cluster.others;
  expect(await failureWith(`redis://127.0.0.1:${port}`)).toMatchObject({
    message: expect.stringContaining('is a node of a Redis Cluster') as string,
    hint: expect.stringContaining('redis+cluster://') as string,
  });
  const single = await onPort();
  expect(await failureWith(single.address.url.replace('redis:', 'redis+cluster:'))).toMatchObject({
    message: expect.stringContaining('is not a Redis Cluster') as string,
  });
  const url = cluster.url.replace('//', '//worker:secret@');
  for (const { redis: node } of [cluster.master, ...cluster.others, cluster.replica])
    await node.call('ACL', 'SETUSER', 'worker', 'on', '>secret', ...rightsOnCluster.split(' '));
  expect(await checkRedis({ kind: 'url', url })).toMatchObject({ role: 'master' });
});

const rightsOnCluster = `${neededRights} ${neededOnCluster}`;

test('a worker with the rights that deploy.md lists promotes, and Redis refuses it nothing that it needs', async () => {
  const page = readFileSync(path.join(root, 'docs/deploy.md'), 'utf8');
  expect(page).toContain(`ACL SETUSER millrace on ><password> ${neededRights}\n`);
  expect(page).toContain(neededOnCluster);
  const proxy = await onPort();
  const admin = redis.connect();
  await admin.call('ACL', 'SETUSER', 'millrace', 'on', '>secret', ...neededRights.split(' '));
  const address = { kind: 'url', url: withUser(proxy, 'millrace:secret') } as const;
  await admin.call('ACL', 'LOG', 'RESET');
  await checkRedis(address);
  expect(await admin.keys('*')).toEqual([]);
  await using env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options({ ...redis, address });
  await using worker = await startWorker({
    ...options,
    settings: { ...options.settings, prefix: '{millrace}' },
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'passed' });
  for (const route of ['lanes', 'promotions', `promotions/${promotion.id}`, 'deliveries', 'pauses', 'audit'])
    expect((await askWorker(worker.url, route)).status, route).toBe(200);
  expect((await askWorker(worker.url, 'pause', { reason: 'month end' })).status).toBe(200);
  const refused = (await admin.call('ACL', 'LOG')) as readonly (readonly unknown[])[];
  // Before Redis 7.2, the worker asks once for each answer to an operator whether Redis writes to its disk, and does without.
  expect(refused.filter((entry) => entry[entry.indexOf('object') + 1] !== 'config|get')).toEqual([]);
});

test('the rights are tried with every command of the scripts', () => {
  const folders = ['worker', 'node_modules/bullmq/dist/esm/scripts'];
  const used = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.lua') || /-\d+\.js$/.test(file))
      .flatMap((file) => [
        ...readFileSync(path.join(root, folder, file), 'utf8').matchAll(
          /(?:rcall|redis\.p?call)\(\s*['"](\w+)/g,
        ),
      ])
      .map(([, command = '']) => command.toUpperCase()),
  );
  const tried = new Set(commandsOfScripts.map(([command]) => command));
  // Only `millrace worker backup` needs them, not the worker (worker-upgrade.md).
  for (const command of ['SCAN', 'DUMP']) tried.add(command);
  expect([...new Set(used)].filter((command) => !tried.has(command))).toEqual([]);
});
