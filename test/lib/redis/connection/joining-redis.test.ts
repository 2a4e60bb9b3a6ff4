import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { untilReady } from '../../../../lib/redis/connection/redis-connection.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

test('the commands of one turn of the event loop go to Redis in one write, and each gets its answer', async () => {
  const connection = redis.connect();
  await untilReady(connection);
  await connection.mset('first', '1', 'second', '2');
  const { stream } = connection;
  const writes = [vi.spyOn(stream, '_write'), vi.spyOn(stream, '_writev' as '_write')];
  const count = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const first = connection.get('first');
  // As an answer that comes in the same turn lets a job continue.
  const second = Promise.resolve().then(() => connection.get('second'));
  const script = connection.eval("return redis.call('get', KEYS[1])", 1, 'first');
  expect(await Promise.all([first, second, script])).toEqual(['1', '2', '1']);
  expect(count()).toBe(1);
  await setImmediate();
  expect(await connection.get('second')).toBe('2');
  expect(count()).toBe(2);
});

test('a command right before the connection is closed reaches Redis', async () => {
  const connection = redis.connect();
  await untilReady(connection);
  connection.set('last', 'written').catch(() => undefined);
  connection.disconnect();
  await once(connection, 'end');
  await expect.poll(async () => redis.connect().get('last')).toBe('written');
});

test('connections share what they make of a script, and a name can mean another script on another connection', async () => {
  const [one, two, other] = [redis.connect(), redis.connect(), redis.connect()];
  const named = (connection: typeof one) =>
    connection as unknown as Record<string, (...given: (string | number)[]) => Promise<unknown>>;
  one.defineCommand('shared', { numberOfKeys: 1, lua: "return 'one ' .. KEYS[1]" });
  two.defineCommand('shared', { numberOfKeys: 1, lua: "return 'one ' .. KEYS[1]" });
  other.defineCommand('shared', { lua: "return 'other ' .. KEYS[1]" });
  expect(named(two)['shared']).toBe(named(one)['shared']);
  const answers = () =>
    Promise.all([
      named(one)['shared']?.('a'),
      named(two)['shared']?.('b'),
      named(other)['shared']?.(1, 'c'),
      named(two)['sharedBuffer']?.('d'),
    ]);
  const wanted = ['one a', 'one b', 'other c', Buffer.from('one d')];
  expect(await answers()).toEqual(wanted);
  expect(await two.multi([['shared', 'e']]).exec()).toEqual([[null, 'one e']]);
  // A Redis that lost its scripts gets the text again on each connection.
  await one.script('FLUSH');
  expect(await answers()).toEqual(wanted);
});
