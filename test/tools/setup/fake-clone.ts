import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';

const house = join(import.meta.dirname, '../../..');

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A clone that holds nothing but the set-up and a lock file, removed after the test. */
export function fakeClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'millrace-clone-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  cpSync(join(house, 'tools/setup'), join(clone, 'tools/setup'), { recursive: true });
  cpSync(join(house, 'package.json'), join(clone, 'package.json'));
  writeFileSync(join(clone, 'package-lock.json'), '{ "lockfileVersion": 3 }\n');
  return clone;
}

/**
 * Puts a program before all others in PATH. It is JavaScript, and each call is noted as a line of `calls`; `npm` is
 * replaced this way, so that no test needs the network.
 */
export function standIn(clone: string, name: string, script: string): void {
  const folder = join(clone, 'stand-ins');
  mkdirSync(folder, { recursive: true });
  const text = [
    `#!${process.execPath}`,
    "import fs from 'node:fs';",
    'const args = process.argv.slice(2);',
    `fs.appendFileSync(${JSON.stringify(join(clone, 'calls'))}, args.join(' ') + '\\n');`,
    script,
  ];
  writeFileSync(join(folder, name), `${text.join('\n')}\n`, { mode: 0o755 });
}

/** Runs a task in the clone, as `npm run` does; `watch` sees the output as it grows. */
export function runTask(
  clone: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  watch?: (child: ChildProcess, output: string) => void,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(clone, 'tools/setup/run.mjs'), ...args], {
      cwd: clone,
      env: { PATH: `${join(clone, 'stand-ins')}${delimiter}${process.env['PATH'] ?? ''}`, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += String(text);
        watch?.(child, output);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
