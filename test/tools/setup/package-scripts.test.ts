import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClone } from './fake-clone.ts';

const house = join(import.meta.dirname, '../../..');

/** Starts a script of `tools/package/` as npm does. */
function start(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  const { status, stderr } = spawnSync(process.execPath, [script], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { code: status, stderr };
}

test('a package that npm cannot compile fails its installation, and says what to install instead', () => {
  const clone = fakeClone();
  cpSync(join(house, 'tools/package'), join(clone, 'tools/package'), { recursive: true });
  const compile = join(clone, 'tools/package/compile.mjs');
  expect(start(compile, clone, { npm_command: 'install' })).toEqual({
    code: 1,
    stderr: expect.stringMatching(/cannot be compiled here[^]*docs\/install\.md/) as string,
  });
  // `prepack` has compiled already.
  expect(start(compile, clone, { npm_command: 'pack' })).toEqual({ code: 0, stderr: '' });
});

test('at a release, package.json gets repository, homepage and bugs of where the workflow runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-origin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'package.json');
  const before = { name: 'millrace', version: '1.2.3', scripts: { test: 'true' } };
  writeFileSync(file, JSON.stringify(before));
  const script = join(house, 'tools/package/set-repository.mjs');
  const where = { GITHUB_SERVER_URL: 'https://github.example.com', GITHUB_REPOSITORY: 'acme/millrace' };
  expect(start(script, folder, where)).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...before,
    homepage: 'https://github.example.com/acme/millrace#readme',
    repository: { type: 'git', url: 'git+https://github.example.com/acme/millrace.git' },
    bugs: { url: 'https://github.example.com/acme/millrace/issues' },
  });
  expect(start(script, folder, {})).toEqual({
    code: 2,
    stderr: expect.stringContaining('GITHUB_REPOSITORY') as string,
  });
});
