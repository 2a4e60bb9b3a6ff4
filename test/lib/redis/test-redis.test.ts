import { expect, test } from 'vitest';
import { untilReady } from '../../../lib/redis/connection/redis-connection.ts';
import { testRedis } from '../../environment/redis.ts';

const redis = testRedis();

test('a test file gets a real Redis of its own, which keeps what is written', async () => {
  const connection = redis.connect();
  await connection.set('answer', '42');
  const producer = redis.connect('producer');
  await untilReady(producer);
  expect(await producer.get('answer')).toBe('42');
});
