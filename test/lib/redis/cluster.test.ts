import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readClusterUrl } from '../../../lib/redis/cluster-url.ts';
import { describeRedisAddress } from '../../../lib/redis/redis-address.ts';
import { connectRedis, untilReady } from '../../../lib/redis/redis-connection.ts';
import { connectionOfRecords } from '../../../worker/store/replicas.ts';
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
