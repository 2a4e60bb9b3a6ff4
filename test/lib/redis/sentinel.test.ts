import { expect, onTestFinished, test } from 'vitest';
import { describeRedisAddress } from '../../../lib/redis/address/redis-address.ts';
import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { checkRedis } from '../../../lib/redis/connection/redis-facts.ts';
import { readSentinelUrl } from '../../../lib/redis/address/sentinel-url.ts';
import { startRedisGroup } from '../../environment/redis-group.ts';

test('an address of Sentinels has hosts, the name of the master and both kinds of credentials', () => {
  const url =
    'rediss+sentinel://worker:p%40ss:word@one:1,[::1]:2,three/main/4?sentinel-username=s&sentinel-password=t%26';
  expect(readSentinelUrl(url)).toEqual({
    tls: true,
    sentinels: [
      { host: 'one', port: 1 },
      { host: '::1', port: 2 },
      { host: 'three', port: 26_379 },
    ],
    name: 'main',
    db: 4,
    username: 'worker',
    password: 'p@ss:word',
    sentinelUsername: 's',
    sentinelPassword: 't&',
  });
  expect(describeRedisAddress({ kind: 'url', url })).toBe('one:1,::1:2,three:26379 (main)');
});

test.each([
  'redis+sentinel://one:1',
  'redis+sentinel://one:x/main',
  'redis+sentinel://one,,two/main',
  'redis+sentinel:///main',
])('%s is refused without its credentials in the message', (url) => {
  expect(() => readSentinelUrl(url.replace('//', '//:secret@'))).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('secret') }),
  );
});

test('a connection follows the Sentinels to the new master', async () => {
  await using group = await startRedisGroup({ members: 2, sentinels: 1 });
  const address = { kind: 'url', url: group.url } as const;
  expect((await checkRedis(address)).evictionPolicy).toBe('noeviction');
  const redis = connectRedis({ address, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  await redis.set('kept', 'before');
  const before = await group.master();
  await group.exchange();
  const now = await group.master();
  expect(now.port).not.toBe(before.port);
  // The old master takes writes until the Sentinels have made it a replica.
  const written = async () => {
    await redis.set('kept', 'after');
    return now.redis.get('kept');
  };
  await expect.poll(written).toBe('after');
});
