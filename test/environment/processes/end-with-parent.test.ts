import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { firstOutput } from './first-output.ts';

const module = JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'end-with-parent.ts')).href);

/** Starts a process whose code prints the id of its child, and lends its standard output to this child. */
async function start(code: string): Promise<{ parent: ChildProcess; pid: number }> {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pid = Number(await firstOutput(parent));
  expect(pid).toBeGreaterThan(0);
  let hasEnded = false;
  parent.stdout.resume().once('close', () => (hasEnded = true));
  onTestFinished(() => {
    parent.kill('SIGKILL');
    if (!hasEnded) process.kill(pid, 'SIGKILL');
  });
  return { parent, pid };
}

const startsChildren = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithParent } from ${module};
await once(endWithParent(spawn('true')), 'exit');
const child = endWithParent(spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'] }));
console.log(child.pid);
child.unref();
`;

test('a child ends with its parent that is killed', async () => {
  const { parent } = await start(`${startsChildren} process.stdin.resume();`);
  parent.kill('SIGKILL');
  // Its standard output, which the child has too.
  expect(await once(parent, 'close')).toEqual([null, 'SIGKILL']);
});

test('a child ends with its parent that ends by itself, which the guard does not keep', async () => {
  const { parent } = await start(
    `${startsChildren} process.stdin.once('data', () => process.stdin.destroy());`,
  );
  parent.stdin?.write('end\n');
  expect(await once(parent, 'close')).toEqual([0, null]);
});

test('the Redis of a folder ends with a killed parent, also one that was started later', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace end '));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { parent, pid } = await start(`
import { spawn } from 'node:child_process';
import { endRedisWithParent } from ${module};
endRedisWithParent(${JSON.stringify(folder)});
console.log(spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).pid);
process.stdin.resume();
`);
  writeFileSync(path.join(folder, 'server.json'), `${JSON.stringify({ pid, address: {} })}\n`);
  parent.kill('SIGKILL');
  expect(await once(parent, 'close')).toEqual([null, 'SIGKILL']);
});

test('a process that is known by its id ends with a killed parent, without a folder', async () => {
  const { parent } = await start(`
import { spawn } from 'node:child_process';
import { endProcessWithParent } from ${module};
const { pid } = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
endProcessWithParent(pid);
console.log(pid);
process.stdin.resume();
`);
  parent.kill('SIGKILL');
  expect(await once(parent, 'close')).toEqual([null, 'SIGKILL']);
});

test('a server that quits with a killed parent can end its own way, and its folder is removed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "millrace it's a server "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { parent } = await start(`
import { spawn } from 'node:child_process';
import { endServerWithParent } from ${module};
const script = "trap 'echo has quit; exit' QUIT; echo ready >&2; while :; do sleep 0.01; done";
const options = { stdio: ['ignore', 'inherit', 'pipe'], detached: true };
const child = endServerWithParent(spawn('sh', ['-c', script], options), ${JSON.stringify(folder)});
child.stderr.once('data', () => console.log(child.pid));
process.stdin.resume();
`);
  let output = '';
  parent.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  parent.kill('SIGKILL');
  await once(parent, 'close');
  expect(output).toContain('has quit');
  await expect.poll(() => existsSync(folder)).toBe(false);
});
