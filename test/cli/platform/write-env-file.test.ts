import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { writeEnvFile } from '../../../cli/platform/write-env-file.ts';

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const print = 'process.stdout.write(process.env.VALUE)';
const runs: Readonly<Record<string, (folder: string) => readonly [string, readonly string[]]>> = {
  'a shell with set -a': () => ['sh', ['-c', `set -a; . ./env; exec "${process.execPath}" -e '${print}'`]],
  'node --env-file': () => [process.execPath, ['--env-file', 'env', '-e', print]],
};

test.each([
  'plain-token_1.2',
  'http://127.0.0.1:8321',
  'abc$(touch x)',
  'abc`touch x`',
  'pa$word',
  'a&b;c|d<e>f',
  "it's",
  'say "yes"',
  'abc#def',
  '# all of it',
  ' blanks around ',
  'C:\\new\\table',
  'a!b*c?d[e]~{f}',
  'ä漢🎉',
  '',
])('a value %j is the same for a shell and for Node, and runs nothing', async (value) => {
  const folder = createFolder();
  await writeEnvFile(path.join(folder, 'env'), [
    ['BEFORE', 'x'],
    ['VALUE', value],
    ['AFTER', 'y'],
  ]);
  for (const run of Object.values(runs)) {
    const [program, args] = run(folder);
    expect(execFileSync(program, args, { cwd: folder, encoding: 'utf8', env: {} })).toBe(value);
  }
  expect(readdirSync(folder)).toEqual(['env']);
});

test.each(['two\nlines', 'it\'s "both"', "it's $5", 'a\u0000b', 'a\rb'])(
  'a value %j, which no line of both can contain, is refused and writes nothing',
  async (value) => {
    const folder = createFolder();
    const writing = writeEnvFile(path.join(folder, 'env'), [['MILLRACE_TOKEN', value]]);
    await expect(writing).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^The value of MILLRACE_TOKEN cannot be written/),
    });
    // The value is a secret.
    await expect(writing).rejects.not.toMatchObject({ message: expect.stringContaining(value) });
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('through a link, the file is written that the link names; only its owner can read it', async () => {
  const folder = createFolder();
  symlinkSync('real', path.join(folder, 'link'));
  await writeEnvFile(path.join(folder, 'link'), [['A', 'b']]);
  expect(lstatSync(path.join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(statSync(path.join(folder, 'real')).mode & 0o777).toBe(0o600);
});
