import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { isServerAlive } from '../../../../lib/redis/server/server-process.ts';
import { firstOutput } from '../../../environment/processes/first-output.ts';
import { redisFolder } from '../redis-folder.ts';

/** A program that runs until the test ends, and has written a line. */
async function running(code: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', `${code}; console.log(); setInterval(() => {}, 60_000)`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await firstOutput(child);
  return child.pid ?? 0;
}

test.runIf(process.platform === 'linux')(
  'a server without a title counts as alive: it has none while it starts, and while it changes its title',
  async () => {
    expect(await isServerAlive(await running("process.title = ''"), redisFolder())).toBe(true);
  },
);

test('another program with the process id of an earlier server does not count as the server', async () => {
  expect(await isServerAlive(await running(''), redisFolder())).toBe(false);
});

test('a process that has ended does not count as the server', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect(await isServerAlive(child.pid ?? 0, redisFolder())).toBe(false);
});
