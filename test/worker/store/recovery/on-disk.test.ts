import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../../../lib/redis/connection/redis-connection.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { isOnDisk } from '../../../../worker/store/recovery/on-disk.ts';
import { createSplitter, wordsOfCommand } from '../../../chaos/lines/resp.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();
const keys = keysUnder('{on-disk}');

const ask = (connection: Redis, call?: { readonly worker: string; readonly call: number }, replicas = 0) =>
  isOnDisk(connection, keys, { call, replicas });

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;

/** A Redis on the wire that answers these commands so, and all others with OK. */
async function fakeRedis(answers: Readonly<Record<string, string>>): Promise<Redis> {
  const server = createServer((socket) => {
    const split = createSplitter();
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const value of split(chunk)) {
        const [name = ''] = wordsOfCommand(value);
        const usual = name.toUpperCase() === 'INFO' ? bulk('redis_version:8.0.0') : '+OK\r\n';
        socket.write(answers[name.toUpperCase()] ?? usual);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `redis://127.0.0.1:${port}`;
  const connection = connectRedis({ address: { kind: 'url', url }, role: 'worker' });
  onTestFinished(() => {
    connection.disconnect();
    server.close();
  });
  return connection;
}

test.each([
  ['confirms it', { WAITAOF: '*2\r\n:1\r\n:0\r\n' }, true],
  ['does not confirm it in time', { WAITAOF: '*2\r\n:0\r\n:0\r\n' }, false],
  [
    'keeps no append-only file',
    { WAITAOF: '-ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.\r\n' },
    false,
  ],
  [
    'has neither WAITAOF nor CONFIG',
    {
      WAITAOF: "-ERR unknown command 'WAITAOF'\r\n",
      CONFIG: '-NOPERM this user has no permissions to run CONFIG\r\n',
    },
    undefined,
  ],
])('a Redis that %s', async (_what, answers, kept) => {
  expect(await ask(await fakeRedis({ HGET: bulk('5 1700000000000'), ...answers }))).toBe(kept);
});

test('a Redis that has the word on its disk, but not on as many replicas as are asked for', async () => {
  const answers = { WAITAOF: '*2\r\n:1\r\n:0\r\n', WAIT: ':0\r\n' };
  expect(await ask(await fakeRedis(answers), undefined, 1)).toBe(false);
});

test('a Redis without WAITAOF has a word on its disk only with appendfsync always', async () => {
  const connection = redis.connect();
  onTestFinished(async () => void (await connection.config('SET', 'appendfsync', 'everysec')));
  // Newer servers than the usual one confirm both.
  const knowsWait = await connection.call('COMMAND', 'INFO', 'WAITAOF');
  const isNewer = Array.isArray(knowsWait) && knowsWait[0] !== null;
  expect(await ask(connection)).toBe(isNewer);
  await connection.config('SET', 'appendfsync', 'always');
  expect(await ask(connection)).toBe(true);
});

test('a Redis that forgot the call has nothing on its disk', async () => {
  const connection = redis.connect();
  await connection.config('SET', 'appendfsync', 'always');
  await connection.hset(keys.workers, 'w', '7 1700000000000');
  expect(await ask(connection, { worker: 'w', call: 7 })).toBe(true);
  expect(await ask(connection, { worker: 'w', call: 8 })).toBe(false);
});

test('a Redis that does not answer says nothing', async () => {
  const connection = connectRedis({ address: { kind: 'socket', path: '/nowhere' }, role: 'probe' });
  expect(await ask(connection)).toBeUndefined();
});
