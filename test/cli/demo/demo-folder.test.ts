import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDemoFolder, redisIn } from '../../../cli/demo/demo-folder.ts';
import { demoFolder, findRunningDemo, recordIn, type RunningDemo } from '../../../cli/operate/demo-record.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { startEmbeddedRedis } from '../../../lib/redis/server/embedded-redis.ts';
import { testServerBinary } from '../../environment/redis-binary.ts';

let temporary: string;
let io: Parameters<typeof openDemoFolder>[0];
beforeEach(() => {
  temporary = mkdtempSync(path.join(tmpdir(), 'demo-folder-'));
  io = { env: { TMPDIR: temporary }, clock: systemClock };
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

const running: RunningDemo = {
  worker: { url: 'http://127.0.0.1:8080', token: 'a', webhookSecret: 'b' },
  control: { url: 'http://127.0.0.1:8081', token: 'c' },
};

test('commands find the demo after its announcement, and not after its end', async () => {
  const folder = await openDemoFolder(io, undefined);
  expect(findRunningDemo(io)).toBeUndefined();
  folder.announce(running);
  expect(findRunningDemo(io)).toEqual(running);
  expect(statSync(recordIn(demoFolder(io))).mode & 0o777).toBe(0o600);
  await folder[Symbol.asyncDispose]();
  expect(findRunningDemo(io)).toBeUndefined();
  expect(readdirSync(temporary)).toEqual([]);
});

test('a second demo of the same user is refused, and leaves the first one as it is', async () => {
  const folder = await openDemoFolder(io, undefined);
  folder.announce(running);
  await expect(openDemoFolder(io, undefined)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('dashboard http://127.0.0.1:8080/'),
  });
  expect(findRunningDemo(io)).toEqual(running);
  expect(readdirSync(temporary)).toEqual([path.basename(demoFolder(io))]);
});

test('the folder of a demo that was killed is replaced', async () => {
  await openDemoFolder(io, undefined);
  const place = demoFolder(io);
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(recordIn(place), JSON.stringify({ pid, data: path.join(place, 'data'), running }));
  writeFileSync(path.join(place, 'data', 'old'), '');
  expect(findRunningDemo(io)).toBeUndefined();
  const folder = await openDemoFolder(io, undefined);
  expect(readdirSync(folder.data)).toEqual(['millrace-demo']);
});

test('a demo does not start on the folder of a killed one whose Redis hangs', async () => {
  const { data } = await openDemoFolder(io, undefined);
  const place = demoFolder(io);
  const directory = redisIn(data);
  const redis = await startEmbeddedRedis({
    directory,
    findBinary: testServerBinary,
    logger: silentLogger,
    clock: systemClock,
  });
  await redis.close({ keep: true });
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(recordIn(place), JSON.stringify({ pid, data, running }));
  process.kill(redis.pid, 'SIGSTOP');
  try {
    await expect(openDemoFolder(io, undefined)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`process ${String(redis.pid)}`),
    });
    expect(existsSync(directory)).toBe(true);
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  // It answers again, so it is stopped.
  const folder = await openDemoFolder(io, undefined);
  expect(() => process.kill(redis.pid, 0)).toThrow('ESRCH');
  expect(readdirSync(folder.data)).toEqual(['millrace-demo']);
});

test('a folder that others can read, and a link in its place, are refused by demo and commands', async () => {
  const place = demoFolder(io);
  mkdirSync(place);
  chmodSync(place, 0o755);
  writeFileSync(recordIn(place), JSON.stringify({ pid: process.pid, data: place, running }));
  await expect(openDemoFolder(io, undefined)).rejects.toMatchObject({ code: 'usage' });
  expect(() => findRunningDemo(io)).toThrow('it must be a folder that belongs to you');
  rmSync(place, { recursive: true });
  const elsewhere = mkdtempSync(path.join(temporary, 'elsewhere-'));
  symlinkSync(elsewhere, place);
  await expect(openDemoFolder(io, undefined)).rejects.toMatchObject({ code: 'usage' });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a record with an address of another machine is not used', async () => {
  const folder = await openDemoFolder(io, undefined);
  folder.announce({ ...running, worker: { ...running.worker, url: 'http://192.0.2.1:8080' } });
  expect(findRunningDemo(io)).toBeUndefined();
});

test('--data accepts a new folder and the one of an earlier demo, and refuses a folder with other files', async () => {
  const data = path.join(temporary, 'kept');
  for (const _ of ['new', 'again']) {
    const folder = await openDemoFolder(io, data);
    await folder[Symbol.asyncDispose]();
    expect(readdirSync(data)).toEqual(['millrace-demo']);
  }
  const other = path.join(temporary, 'other');
  mkdirSync(other);
  writeFileSync(path.join(other, 'notes.txt'), '');
  await expect(openDemoFolder(io, other)).rejects.toMatchObject({
    code: 'usage',
    where: { input: '--data' },
  });
});
