import { execFile, execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { constants, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../worker/eventually.ts';
import { firstOutput } from './first-output.ts';

const run = promisify(execFile);
const parent = (): number => Number(execFileSync('sh', ['-c', 'echo $PPID'], { encoding: 'utf8' }));

function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace started ')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a process that the helper starts', () => {
  // The first ones are started directly.
  beforeAll(() => {
    for (let i = 0; i < 5; i += 1) spawnSync('true');
  });

  test('is not a child of this process', async () => {
    expect(parent()).not.toBe(process.pid);
    expect(Number((await run('sh', ['-c', 'echo $PPID'])).stdout)).toBe(parent());
  });

  test('gets its arguments, folder and variables, and nothing else of this process', async () => {
    const cwd = temporaryFolder();
    const env = { PATH: process.env.PATH ?? '', A: 'b=c\nd' };
    const given = ['-c', 'pwd; printf %s "$1"', 'sh', 'ä "b"\n'];
    const variables = `PATH=${env.PATH}\0A=b=c\nd\0`;
    expect((await run('sh', given, { cwd, env })).stdout).toBe(`${cwd}\nä "b"\n`);
    expect((await run('env', ['-0'], { env })).stdout).toBe(variables);
    expect(execFileSync('sh', given, { cwd, env, encoding: 'utf8' })).toBe(`${cwd}\nä "b"\n`);
    expect(execFileSync('env', ['-0'], { env, encoding: 'utf8' })).toBe(variables);
  });

  test('has its own standard input, output and error, of any size', async () => {
    const bytes = Buffer.alloc(3_000_000, 'line\n');
    const child = spawn('sh', ['-c', 'cat; echo error >&2; exit 3'], { stdio: 'pipe' });
    child.stdin.end(bytes);
    const [out, error, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect([out.length, error, code, signal]).toEqual([bytes.length, 'error\n', 3, null]);
    const same = spawnSync('sh', ['-c', 'cat; echo error >&2; exit 3'], {
      input: bytes,
      maxBuffer: Infinity,
    });
    expect([same.stdout.equals(bytes), same.stderr.toString(), same.status]).toEqual([true, 'error\n', 3]);
  });

  // A browser gets its commands on the fourth stream, and takes one that does not wait for closed.
  test.skipIf(process.platform !== 'linux')('waits for data on a fourth stream', async () => {
    const child = spawn('sh', ['-c', 'grep flags /proc/self/fdinfo/3'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    const [, flags = ''] =
      /flags:\s+([0-7]+)/.exec(child.stdout === null ? '' : await text(child.stdout)) ?? [];
    expect(flags).toMatch(/^0/);
    expect(Number.parseInt(flags, 8) & constants.O_NONBLOCK).toBe(0);
  });

  test('ends its output before it ends, and reads until its input ends', async () => {
    const child = spawn('sh', ['-c', 'exec >&-; read line; exit "$line"'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    expect(await text(child.stdout)).toBe('');
    expect(child.exitCode).toBeNull();
    child.stdin.end('4\n');
    expect(await once(child, 'exit')).toEqual([4, null]);
  });

  test('gets signals, and its end by one is reported', async () => {
    const child = spawn('sh', [
      '-c',
      'trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.01; done',
    ]);
    await firstOutput(child);
    expect(child.kill('SIGINT')).toBe(true);
    expect(await once(child, 'close')).toEqual([5, null]);
    const other = spawn('sleep', ['100']);
    process.kill(other.pid ?? 0, 'SIGKILL');
    expect(await once(other, 'close')).toEqual([null, 'SIGKILL']);
    expect([other.signalCode, other.kill()]).toEqual(['SIGKILL', false]);
  });

  test('ends at its time limit, after an abort, and at the limit of its output', async () => {
    await expect(run('sleep', ['100'], { timeout: 10 })).rejects.toMatchObject({
      killed: true,
      signal: 'SIGTERM',
    });
    await expect(run('sleep', ['100'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(run('yes', [], { maxBuffer: 100 })).rejects.toMatchObject({
      code: 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER',
    });
    expect(spawnSync('sleep', ['100'], { timeout: 10 })).toMatchObject({
      signal: 'SIGTERM',
      error: { code: 'ETIMEDOUT' },
    });
    expect(spawnSync('yes', [], { maxBuffer: 100 }).error).toMatchObject({ code: 'ENOBUFS' });
  });

  test('that does not exist is reported as Node reports it', async () => {
    await expect(run('/no/such/command')).rejects.toMatchObject({
      code: 'ENOENT',
      syscall: 'spawn /no/such/command',
    });
    await expect(run('true', [], { cwd: '/no/such/folder' })).rejects.toMatchObject({ code: 'ENOENT' });
    expect(spawnSync('/no/such/command').error).toMatchObject({ code: 'ENOENT' });
    expect(() => execFileSync('sh', ['-c', 'echo why >&2; exit 7'], { stdio: 'pipe' })).toThrow(
      /Command failed[^]*why/,
    );
  });
});

test('a child with a channel for messages is started directly', async () => {
  const file = path.join(temporaryFolder(), 'child.mjs');
  writeFileSync(file, 'process.send(process.ppid)');
  expect(await once(fork(file), 'message')).toEqual([process.pid, undefined]);
});

test('the helper ends with its process, also after a kill, and removes its folder', async () => {
  const folder = temporaryFolder();
  const script = `import { spawnSync } from 'node:child_process';
    await import(${JSON.stringify(new URL('start-through-helper.ts', import.meta.url).href)});
    for (let i = 0; i < 5; i += 1) spawnSync('true');
    console.log(spawnSync('sh', ['-c', 'echo $PPID']).stdout.toString());
    setInterval(() => {}, 1000);`;
  const env = { PATH: process.env.PATH ?? '', TMPDIR: folder };
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(Number(await firstOutput(child))).not.toBe(child.pid);
  child.kill('SIGKILL');
  await once(child, 'close');
  // It removes its folder when it ends.
  await eventually(() => readdirSync(folder)).toEqual([]);
});
