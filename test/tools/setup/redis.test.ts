import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClone, standIn } from './fake-clone.ts';

const entry = join(import.meta.dirname, '../../../tools/setup/redis-under-node24.mjs');

/** Prepares a Redis where PATH holds nothing but the clone's stand-ins. */
async function prepareRedis(
  clone: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [entry, join(clone, 'store')], {
    env: { PATH: join(clone, 'stand-ins'), ...env },
  });
  let output = '';
  child.stderr.on('data', (text) => (output += String(text)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

const calls = (clone: string): string[] =>
  existsSync(join(clone, 'calls')) ? readFileSync(join(clone, 'calls'), 'utf8').trim().split('\n') : [];

/** An apt that, when it installs, puts a server beside itself in PATH. */
const installs = (clone: string): string => `
  if (args[0] === 'install') {
    const server = '#!/bin/sh\\necho "Redis server v=7.0.15 sha=0"\\n';
    fs.writeFileSync(${JSON.stringify(join(clone, 'stand-ins', 'redis-server'))}, server, { mode: 0o755 });
  }
`;

test('with MILLRACE_INSTALL=system a Redis is installed on the machine', async () => {
  const clone = fakeClone();
  standIn(clone, 'apt-get', installs(clone));
  const { code, output } = await prepareRedis(clone, { MILLRACE_INSTALL: 'system' });
  expect(code).toBe(0);
  expect(output).toContain('Redis 7.0.15 is ready');
  expect(calls(clone)).toEqual(['update -qq', 'install -qq -y redis-server']);
});

test('without it apt is called only with our own settings, and after a failure one command is suggested', async () => {
  const clone = fakeClone();
  standIn(clone, 'apt-get', 'if (!args.includes("--version")) process.exit(100);');
  const { code, output } = await prepareRedis(clone, {});
  expect(code).toBe(1);
  expect(output).toMatch(/how to fix: Run: .*install.*\(or set MILLRACE_REDIS_URL/);
  expect(calls(clone).length).toBeGreaterThan(2);
  expect(calls(clone).filter((call) => !call.startsWith(`-c ${join(clone, 'store')}`))).toEqual([]);
});

test('with a Redis server in PATH apt is not called', async () => {
  const clone = fakeClone();
  standIn(clone, 'apt-get', '');
  standIn(clone, 'valkey-server', 'console.log("Valkey server v=8.0.1 sha=0");');
  expect(await prepareRedis(clone, {})).toEqual({ code: 0, output: '' });
  expect(calls(clone)).toEqual(['--version']);
});
