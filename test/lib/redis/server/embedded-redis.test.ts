import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { startEmbeddedRedis } from '../../../../lib/redis/server/embedded-redis.ts';
import { connectRedis } from '../../../../lib/redis/connection/redis-connection.ts';
import {
  type LocalAddress,
  readServerRecord,
  writeServerRecord,
} from '../../../../lib/redis/server/server-record.ts';
import { firstOutput } from '../../../environment/processes/first-output.ts';
import { testServerBinary } from '../../../environment/redis-binary.ts';
import { isAlive, redisFolder, startIn } from '../redis-folder.ts';

function connectTo(address: LocalAddress) {
  const connection = connectRedis({ address, role: 'worker' });
  onTestFinished(() => connection.disconnect());
  return connection;
}

test('it writes an append-only file every second, evicts nothing, and only its owner reaches the socket', async () => {
  const folder = redisFolder();
  const { address } = await startIn(folder);
  const connection = connectTo(address);
  const settings: Record<string, string> = {};
  for (const name of ['appendonly', 'appendfsync', 'maxmemory-policy', 'save', 'port']) {
    const [key, value] = (await connection.config('GET', name)) as [string, string];
    settings[key] = value;
  }
  expect(settings).toEqual({
    appendonly: 'yes',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    save: '',
    port: '0',
  });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a killed Redis restarts at the same address with its data', async () => {
  const embedded = await startIn(redisFolder());
  const connection = connectTo(embedded.address);
  await connection.set('run', '17');
  const before = embedded.pid;
  process.kill(before, 'SIGKILL');
  expect(await connection.get('run')).toBe('17');
  expect(isAlive(before)).toBe(false);
  await expect.poll(() => embedded.pid).not.toBe(before);
});

test('a Redis that ends again right after its start is restarted only after a pause, which grows', async () => {
  const pauses: number[] = [];
  const sleep: typeof systemClock.sleep = (ms, signal) => {
    if (ms >= 100) pauses.push(ms);
    return systemClock.sleep(Math.min(ms, 20), signal);
  };
  const embedded = await startIn(redisFolder(), { ...systemClock, sleep });
  for (let i = 0; i < 3; i += 1) {
    const before = embedded.pid;
    process.kill(before, 'SIGKILL');
    await expect.poll(() => embedded.pid).not.toBe(before);
  }
  expect(pauses).toEqual([100, 200]);
});

test('killing the worker leaves its Redis alive, and the next worker adopts it', async () => {
  const folder = redisFolder();
  const worker = spawn(process.execPath, [join(import.meta.dirname, '../worker-that-dies.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = Number(await firstOutput(worker));
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  expect(isAlive(pid)).toBe(true);

  const embedded = await startIn(folder);
  expect(embedded).toMatchObject({ adopted: true, pid });
  expect(await connectTo(embedded.address).get('written')).toBe('before the crash');
});

test('two workers that start at once on a folder share one Redis, which ends with the last of them', async () => {
  const folder = redisFolder();
  const [first, second] = await Promise.all([startIn(folder), startIn(folder)]);
  expect(second.pid).toBe(first.pid);
  expect([first.adopted, second.adopted].filter(Boolean)).toHaveLength(1);
  await first.close();
  expect(await connectTo(second.address).ping()).toBe('PONG');
  await second.close();
  // A moment may pass until this process takes note of the end.
  await expect.poll(() => isAlive(first.pid)).toBe(false);
});

test('close stops it in good order, and what was written is there at the next start', async () => {
  const folder = redisFolder();
  const first = await startIn(folder);
  await connectTo(first.address).set('kept', 'yes');
  await first.close();
  // A moment may pass until this process takes note of the end.
  await expect.poll(() => isAlive(first.pid)).toBe(false);
  const second = await startIn(folder);
  expect(second.adopted).toBe(false);
  expect(await connectTo(second.address).get('kept')).toBe('yes');
});

test('close with keep leaves it running for the next worker', async () => {
  const folder = redisFolder();
  const first = await startIn(folder);
  await first.close({ keep: true });
  const second = await startIn(folder);
  expect(second).toMatchObject({ adopted: true, pid: first.pid });
});

test('a stale socket, and a record whose process id now belongs to someone else, do not stop it', async () => {
  const folder = redisFolder('data');
  mkdirSync(folder);
  const socket = join(folder, 'redis.sock');
  writeFileSync(socket, '');
  writeFileSync(
    join(folder, 'server.json'),
    JSON.stringify({ pid: process.pid, address: { kind: 'socket', path: socket } }),
  );
  const embedded = await startIn(folder);
  expect(embedded.adopted).toBe(false);
  expect(await connectTo(embedded.address).ping()).toBe('PONG');
});

test('a server whose record was lost is found by its socket, never started twice', async () => {
  const folder = redisFolder();
  const first = await startIn(folder);
  await first.close({ keep: true });
  unlinkSync(join(folder, 'server.json'));
  const second = await startIn(folder);
  expect(second).toMatchObject({ adopted: true, pid: first.pid });
});

test('a server whose starter was killed before it could record it is found, never started twice', async () => {
  const folder = redisFolder();
  const first = await startIn(folder);
  await first.close({ keep: true });
  writeServerRecord(folder, { pid: 0, address: first.address });
  const second = await startIn(folder);
  expect(second).toMatchObject({ adopted: true, pid: first.pid });
});

test('a server that runs but does not answer is not joined by a second one', async () => {
  const folder = redisFolder();
  const first = await startIn(folder);
  let now = 0;
  const clock = { now: () => now, sleep: async (ms: number) => void (now += ms * 300) };
  process.kill(first.pid, 'SIGSTOP');
  try {
    const second = startEmbeddedRedis({
      directory: folder,
      findBinary: testServerBinary,
      logger: silentLogger,
      clock,
    });
    await expect(second).rejects.toMatchObject({
      code: 'redis-missing',
      message: `The Redis that Millrace started (process ${first.pid}) runs but does not answer.`,
    });
  } finally {
    process.kill(first.pid, 'SIGCONT');
  }
});

test('close while a killed server is being started again leaves none running', async () => {
  const folder = redisFolder();
  const embedded = await startIn(folder);
  process.kill(embedded.pid, 'SIGKILL');
  await expect.poll(() => readServerRecord(folder)?.pid, { interval: 1 }).not.toBe(embedded.pid);
  await embedded.close();
  expect(readServerRecord(folder)).toBeUndefined();
  expect(await startIn(folder)).toMatchObject({ adopted: false });
});

test('close ends also if the server that is being started again answers only after it', async () => {
  const directory = redisFolder();
  const binary = testServerBinary();
  const restarting = Promise.withResolvers<void>();
  let starts = 0;
  const embedded = await startEmbeddedRedis({
    directory,
    findBinary: async () => {
      starts += 1;
      if (starts === 2) restarting.resolve();
      return binary;
    },
    logger: silentLogger,
    // The wait for the answer continues although the close has begun.
    clock: { ...systemClock, sleep: async (ms) => systemClock.sleep(ms) },
  });
  process.kill(embedded.pid, 'SIGKILL');
  await restarting.promise;
  await embedded.close();
  expect(readServerRecord(directory)).toBeUndefined();
});

test('close leaves a server that hangs running, and the next worker adopts it', async () => {
  const folder = redisFolder();
  const embedded = await startIn(folder);
  const { address, pid } = embedded;
  await connectTo(address).set('run', '17');
  process.kill(pid, 'SIGSTOP');
  try {
    await embedded.close();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const next = await startIn(folder);
  expect(next).toMatchObject({ pid, adopted: true });
  expect(await connectTo(next.address).get('run')).toBe('17');
});

test('where the socket’s path would be too long it listens on the loopback, behind a password', async () => {
  const folder = redisFolder('a-rather-long-name-'.repeat(6));
  const embedded = await startIn(folder);
  const { address } = embedded;
  if (address.kind !== 'tcp') throw new Error('expected TCP');
  expect(address.host).toBe('127.0.0.1');
  expect(statSync(join(folder, 'server.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'redis.conf')).mode & 0o777).toBe(0o600);
  await expect(connectTo({ ...address, password: 'guess' }).ping()).rejects.toThrow(/WRONGPASS/);

  const connection = connectTo(address);
  await connection.set('a', 'b');
  process.kill(embedded.pid, 'SIGKILL');
  expect(await connection.get('a')).toBe('b');
});

test('a folder with spaces and quotes in its name does', async () => {
  const embedded = await startIn(redisFolder('it’s "mine" \\ yours'));
  expect(await connectTo(embedded.address).ping()).toBe('PONG');
});

test('a server that cannot read its data says why, and is not restarted over and over', async () => {
  const folder = redisFolder();
  const first = await startIn(folder);
  await connectTo(first.address).set('a', 'b');
  await first.close();
  writeFileSync(join(folder, 'appendonlydir', 'appendonly.aof.manifest'), 'nonsense\n');
  await expect(startIn(folder)).rejects.toMatchObject({
    code: 'redis-missing',
    message: expect.stringMatching(/manifest/i) as string,
    where: { file: join(folder, 'redis.log') },
  });
});

test('a program that is not a server is reported as redis-missing', async () => {
  const starting = startEmbeddedRedis({
    directory: redisFolder(),
    findBinary: async () => ({ binary: '/nowhere/redis-server', libraries: [], version: '7.0.0' }),
    logger: silentLogger,
    clock: systemClock,
  });
  await expect(starting).rejects.toMatchObject({ code: 'redis-missing' });
});
