import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readClusterUrl } from '../../../lib/redis/address/cluster-url.ts';
import { describeRedisAddress } from '../../../lib/redis/address/redis-address.ts';
import { connectRedis, untilReady } from '../../../lib/redis/connection/redis-connection.ts';
import { connectionOfRecords } from '../../../worker/store/recovery/replicas.ts';
import { freePorts } from '../../environment/redis-group.ts';
import { type RedisCluster, startRedisCluster } from '../../environment/redis-cluster.ts';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

test('an address of a cluster has hosts and credentials', () => {
  const url = 'rediss+cluster://worker:p%40ss:word@one:1,[::1]:2,three/';
  expect(readClusterUrl(url)).toEqual({
    tls: true,
    nodes: [
      { host: 'one', port: 1 },
      { host: '::1', port: 2 },
      { host: 'three', port: 6379 },
    ],
    username: 'worker',
    password: 'p@ss:word',
  });
  expect(describeRedisAddress({ kind: 'url', url })).toBe('one:1,::1:2,three:6379 (cluster)');
});

test.each(['redis+cluster://one:x/', 'redis+cluster://one,,two', 'redis+cluster://one/3'])(
  '%s is refused without its credentials in the message',
  (url) => {
    expect(() => readClusterUrl(url.replace('//', '//:secret@'))).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('secret') }),
    );
  },
);

test('commands about the replicas go to the node that has the records, and others do not confirm them', async () => {
  const redis = connectRedis({ address: { kind: 'url', url: cluster.url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  await redis.set('{millrace}:written', '1');
  const node = connectionOfRecords(redis, '{millrace}');
  expect(node.options.port).toBe(cluster.master.port);
  expect(await node.wait(1, 5_000)).toBe(1);
});

test('while the slot of the records is being moved, nothing is written, and a producer gets an error at once', async () => {
  const { master, others, slot } = cluster;
  const [target] = others;
  await target.redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', master.id);
  await master.redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.id);
  const failed = Promise.withResolvers<Error>();
  const address = { kind: 'url', url: cluster.url } as const;
  const redis = connectRedis({ address, role: 'worker', onError: failed.resolve });
  const producer = connectRedis({ address, role: 'producer' });
  onTestFinished(() => {
    redis.disconnect();
    producer.disconnect();
  });
  await Promise.all([untilReady(redis), untilReady(producer)]);
  const before = await master.redis.dbsize();
  let isDone = false;
  // The second key would be on the other node: the first write would stay, and the script would fail.
  const script = "redis.call('SET', KEYS[1], '1') redis.call('SET', '{millrace}:second', '1') return 'done'";
  const done = redis.eval(script, 1, '{millrace}:first').then((answer) => {
    isDone = true;
    return answer;
  });
  expect((await failed.promise).message).toContain(
    `slot ${slot} of the Redis Cluster, which has the records, is being moved`,
  );
  await expect.poll(() => producer.set('{millrace}:third', '1').catch(String)).toContain('is being moved');
  expect(isDone).toBe(false);
  expect(await master.redis.dbsize()).toBe(before);
  await master.redis.call('CLUSTER', 'SETSLOT', slot, 'STABLE');
  await target.redis.call('CLUSTER', 'SETSLOT', slot, 'STABLE');
  expect(await done).toBe('done');
});

test('a connection that sends its first command after a failover finds the new master', async () => {
  await using failing = await startRedisCluster();
  const address = { kind: 'url', url: failing.url } as const;
  const [redis, producer] = (['worker', 'producer'] as const).map((role) => connectRedis({ address, role }));
  if (redis === undefined || producer === undefined) throw new Error('two connections');
  onTestFinished(() => {
    redis.disconnect();
    producer.disconnect();
  });
  await Promise.all([untilReady(redis), untilReady(producer)]);
  await failing.killMaster();
  expect(await redis.set('{millrace}:first', '1')).toBe('OK');
  expect(await producer.get('{millrace}:first')).toBe('1');
});

test('a connection that was ended is connected again, also right after its end and while it connects', async () => {
  const redis = connectRedis({ address: { kind: 'url', url: cluster.url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  await redis.set('{millrace}:again', '0');
  // Each has a connection of its own to its node, and they end one after another.
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => redis.get(key)));
  const nodes = (redis as unknown as Cluster).nodes();
  const ends = nodes.map((node) => once(node, 'end'));
  const ended = once(redis, 'end');
  redis.disconnect();
  await ended;
  expect(redis.status).toBe('end');
  const connected = redis.connect();
  await Promise.all(ends);
  await connected;
  expect(await redis.incr('{millrace}:again')).toBe(1);
  // As BullMQ does it: without a wait for the end.
  redis.disconnect();
  await redis.connect();
  expect(await redis.incr('{millrace}:again')).toBe(2);
  const last = (redis as unknown as Cluster).nodes().map((node) => once(node, 'end'));
  redis.disconnect();
  await Promise.all(last);
  await setImmediate();
  expect(redis.status).toBe('end');
});

test('a connection that was opened again does not write either while the slot of the records is being moved', async () => {
  const { master, others, slot } = cluster;
  const [target] = others;
  const redis = connectRedis({ address: { kind: 'url', url: cluster.url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  await redis.del('{millrace}:moved');
  const ended = once(redis, 'end');
  redis.disconnect();
  await ended;
  await target.redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', master.id);
  await master.redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.id);
  const before = await master.redis.dbsize();
  await redis.connect();
  const isMoving = once(redis, 'node error');
  const written = redis.set('{millrace}:moved', '1');
  expect(String((await isMoving)[0])).toContain('is being moved');
  expect(await master.redis.dbsize()).toBe(before);
  await master.redis.call('CLUSTER', 'SETSLOT', slot, 'STABLE');
  await target.redis.call('CLUSTER', 'SETSLOT', slot, 'STABLE');
  expect(await written).toBe('OK');
});

test('an attempt to connect fails when it is ended before the cluster is ready', async () => {
  const redis = connectRedis({ address: { kind: 'url', url: cluster.url }, role: 'worker' });
  await untilReady(redis);
  const ended = once(redis, 'end');
  redis.disconnect();
  await ended;
  const connected = redis.connect();
  // The nodes answered. Now it asks them for the state of the cluster.
  await once(redis, 'connect');
  redis.disconnect();
  await expect(connected).rejects.toThrow('closed');
});

test('a connection that no node accepts is ended in each of its states', async () => {
  const [port] = await freePorts(1);
  const address = { kind: 'url', url: `redis+cluster://127.0.0.1:${port}/` } as const;
  // Errors of its attempts come before.
  const comes = (redis: Redis, event: string) => new Promise((resolve) => redis.once(event, resolve));
  for (const state of ['connecting', 'reconnecting'] as const) {
    for (const end of ['disconnect', 'quit'] as const) {
      const redis = connectRedis({ address, role: 'worker' });
      if (redis.status !== state) await comes(redis, state);
      const ended = comes(redis, 'end');
      await redis[end]();
      await ended;
      expect(redis.status).toBe('end');
    }
  }
});
