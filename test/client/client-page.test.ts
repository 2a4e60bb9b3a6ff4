import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from '../../platform/index.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/client.md'), 'utf8');
const run = promisify(execFile);

/** The code blocks of the page in a language. */
function blocks(language: string): readonly string[] {
  const fence = /^```(\w*)\n([^]*?)^```$/gm;
  return [...page.matchAll(fence)].filter(([, name]) => name === language).map(([, , text = '']) => text);
}

test('the program of docs/client.md publishes, runs and waits, and says that the version exists the second time', async () => {
  await using platform = await startPlatform();
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-client-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const client = new URL('../../client/index.ts', import.meta.url).href;
  const [first = '', second = ''] = blocks('js');
  const [pipeline = ''] = blocks('yaml');
  writeFileSync(path.join(folder, 'first.mjs'), (first + second).replaceAll('millrace/client', client));
  mkdirSync(path.join(folder, 'pipelines'));
  writeFileSync(path.join(folder, 'pipelines', 'hello.orch.yaml'), pipeline);
  const env = { PATH: process.env['PATH'], ...platform.environment() };
  const start = () => run(process.execPath, ['first.mjs'], { cwd: folder, env, timeout: 60_000 });
  expect((await start()).stdout).toBe('dev\ntest\nprod\nSUCCESS\n');
  await expect(start()).rejects.toMatchObject({
    code: 1,
    stdout: 'dev\ntest\nprod\n',
    stderr: expect.stringMatching(/^conflict: .*already has the version/),
  });
});
