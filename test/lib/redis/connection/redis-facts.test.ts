import { expect, test } from 'vitest';
import { describeRedisAddress, type RedisAddress } from '../../../../lib/redis/address/redis-address.ts';
import {
  connectRedis,
  reconnectDelay,
  untilReady,
} from '../../../../lib/redis/connection/redis-connection.ts';
import { checkRedis } from '../../../../lib/redis/connection/redis-facts.ts';
import { isAtLeast } from '../../../../lib/redis/connection/redis-version.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

test('a Redis that evicts nothing is accepted', async () => {
  await expect(checkRedis(redis.address)).resolves.toMatchObject({
    pid: redis.pid,
    evictionPolicy: 'noeviction',
  });
});

test('a Redis that evicts keys is rejected with the setting to change', async () => {
  const connection = redis.connect();
  await connection.config('SET', 'maxmemory-policy', 'allkeys-lru');
  try {
    await expect(checkRedis(redis.address)).rejects.toMatchObject({
      code: 'redis-unsuitable',
      message: expect.stringContaining('allkeys-lru') as string,
      hint: 'Set `maxmemory-policy noeviction` in the configuration of that Redis.',
    });
  } finally {
    await connection.config('SET', 'maxmemory-policy', 'noeviction');
  }
});

test('an unreachable Redis is reported without the credentials of its URL', async () => {
  const address: RedisAddress = { kind: 'url', url: 'redis://worker:secret@127.0.0.1:1/0' };
  const failure = await checkRedis(address).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'redis-unreachable', where: { input: 'MILLRACE_REDIS_URL' } });
  expect(String(failure)).not.toContain('secret');
  expect(describeRedisAddress(address)).toBe('redis://127.0.0.1:1/0');
});

test('a URL that is none is not shown, as it may hold a password', () => {
  expect(describeRedisAddress({ kind: 'url', url: 'secret@nowhere' })).toBe('MILLRACE_REDIS_URL');
});

test('a connection whose Redis does not answer in time at first is ready once it answers', async () => {
  const producer = connectRedis({ address: redis.address, role: 'producer' });
  const ready = untilReady(producer);
  // As after a ready check without an answer; then it connects again.
  producer.emit('error', new Error('Command timed out'));
  await ready;
  expect(await producer.ping()).toBe('PONG');
  producer.disconnect();
});

test('a connection that was given up is never ready', async () => {
  const address: RedisAddress = { kind: 'url', url: 'redis://127.0.0.1:1' };
  const producer = connectRedis({ address, role: 'producer' });
  const ready = untilReady(producer);
  producer.disconnect();
  await expect(ready).rejects.toThrow('closed');
});

test('a producer’s command on a frozen Redis fails instead of waiting for ever', async () => {
  const producer = connectRedis({ address: redis.address, role: 'producer' });
  await untilReady(producer);
  process.kill(redis.pid, 'SIGSTOP');
  try {
    await expect(producer.set('a', 'b')).rejects.toThrow('timed out');
  } finally {
    process.kill(redis.pid, 'SIGCONT');
    producer.disconnect();
  }
});

test('a producer’s command on a lost connection fails at once', async () => {
  const producer = connectRedis({ address: { kind: 'url', url: 'redis://127.0.0.1:1' }, role: 'producer' });
  await expect(producer.set('a', 'b')).rejects.toThrow(/writeable/);
  producer.disconnect();
});

test('reconnections come quickly and are never more than 1.5 s apart', () => {
  expect([0, 1, 2, 3, 4, 100].map(reconnectDelay)).toEqual([100, 200, 400, 800, 1_500, 1_500]);
});

test.each([
  ['6.2.0', true],
  ['6.2', true],
  ['7.0.15', true],
  ['10.0.0', true],
  ['6.1.9', false],
  ['5.0.14', false],
  ['', false],
  ['unstable', false],
])('version %j is new enough: %j', (version, expected) => {
  expect(isAtLeast(version, '6.2.0')).toBe(expected);
});
