import { spawn } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';
import { firstOutput } from './first-output.ts';

const start = (code: string) =>
  spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });

test('the first output of a process is its text, although the process ends at once', async () => {
  expect(await firstOutput(start("console.log('http://127.0.0.1:1')"))).toBe('http://127.0.0.1:1\n');
});

test('a process that ends without any output is an error that names its exit code', async () => {
  await expect(firstOutput(start('process.exit(3)'))).rejects.toThrow(
    'The process ended without any output (exit code 3).',
  );
});
