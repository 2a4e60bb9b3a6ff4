import { expect, test } from 'vitest';
import { startWorker } from '../../worker/app/start-worker.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';
import { testRedis } from '../environment/redis.ts';
import { startRedisProxy } from '../environment/redis-proxy.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { ended, release, toTest } from '../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment, deliver } from '../environment/worker/worker-environment.ts';

const redis = testRedis();
const other = testRedis();

const socketOf = (address: RedisAddress): string =>
  address.kind === 'socket' ? address.path : expect.unreachable();

test('a worker whose Redis is replaced behind its name, and whose connections stay open, continues with the new one', async () => {
  await using proxy = await startRedisProxy(socketOf(redis.address));
  await using env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options({ ...redis, address: proxy.address });
  await using worker = await startWorker(options);
  await release(env, 'v1.0.0');
  const push = await env.push('refs/tags/v1.0.0');
  expect(await deliver(worker.url, push)).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });

  const old = redis.connect('probe');
  await old.replicaof('127.0.0.1', 1);
  try {
    const replica = other.connect();
    for (const key of await old.keys('*')) {
      const dump: Buffer | null = await old.dumpBuffer(key);
      // It may have expired since.
      if (dump !== null) await replica.restore(key, Math.max(0, await old.pttl(key)), dump, 'REPLACE');
    }
    proxy.lead(socketOf(other.address));
    await release(env, 'v1.1.0');
    const next = await env.push('refs/tags/v1.1.0');
    await eventually(async () => (await deliver(worker.url, next)).status).toBe(202);
    expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
    expect(env.wire.count('POST', '/promotions')).toBe(2);
  } finally {
    await redis.connect('probe').replicaof('NO', 'ONE');
  }
});

test('a worker whose connections to Redis died without a last packet makes new ones, also where it waits for jobs', async () => {
  await using proxy = await startRedisProxy(socketOf(redis.address));
  await using env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options({ ...redis, address: proxy.address });
  const lines: string[] = [];
  const write = (message: string, fields: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger = { debug: write, info: write, warn: write, error: write };
  await using worker = await startWorker({ ...options, logger });
  await release(env, 'v1.0.0');
  const push = await env.push('refs/tags/v1.0.0');
  // The consumers wait for jobs by now, each on a connection of its own.
  await eventually(() => proxy.open).toBeGreaterThan(5);
  proxy.silence();
  const answers: number[] = [];
  await eventually(async () => {
    const { status } = await deliver(worker.url, push);
    answers.push(status);
    return status;
  }).toBe(202);
  // No command was sent again after its caller got an error.
  expect(new Set(answers)).toEqual(new Set([503, 202]));
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(lines.join('\n')).toMatch(/Redis did not answer \w+ within \d+ s, so the connection was ended\./);
  expect(env.wire.count('POST', '/promotions')).toBe(1);
});

test('a command in a transaction that a former master refuses is not sent by itself to the new one', async () => {
  await using proxy = await startRedisProxy(socketOf(redis.address));
  const connection = connectRedis({ address: proxy.address, role: 'worker' });
  await connection.ping();
  const old = redis.connect('probe');
  await old.replicaof('127.0.0.1', 1);
  try {
    proxy.lead(socketOf(other.address));
    const answers = connection.multi().set('one', '1').set('two', '2').exec();
    await expect(answers).rejects.toThrow(/EXECABORT|READONLY/);
    // On the new master.
    await connection.set('three', '3');
    expect(await other.connect().mget('one', 'two', 'three')).toEqual([null, null, '3']);
  } finally {
    await redis.connect('probe').replicaof('NO', 'ONE');
    connection.disconnect();
  }
});
