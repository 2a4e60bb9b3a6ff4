import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const house = join(import.meta.dirname, '../../..');

/** Runs `npm test` on files made for it; they lie in the house, because vitest collects only what is in it. */
async function runTests(
  files: Record<string, string>,
  { ownBundle = false } = {},
): Promise<{ code: number; lastLine: string; failed: readonly string[] }> {
  const store = join(house, 'test', 'fixtures');
  mkdirSync(store, { recursive: true });
  const folder = mkdtempSync(join(store, 'closing-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(
      join(folder, name),
      `import { beforeAll, describe, expect, test } from 'vitest';\n${text}\n`,
    );
  }
  const child = spawn(process.execPath, [join(house, 'tools/setup/run.mjs'), 'test', '--root', folder], {
    cwd: house,
    env: {
      ...process.env,
      MILLRACE_REDIS_URL: 'redis://127.0.0.1:1',
      VITEST: undefined,
      ...(ownBundle ? { MILLRACE_TEST_BUNDLE: undefined } : {}),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  const [code] = (await once(child, 'close')) as [number];
  const lines = output.trimEnd().split('\n');
  const list = lines.lastIndexOf('Failed:');
  const failed =
    list === -1
      ? []
      : lines.slice(list + 1, -2).map((line) => line.trim().replace(`${relative(house, folder)}/`, ''));
  return { code, lastLine: lines.at(-1) ?? '', failed };
}

test('passed, failed and skipped tests are counted, and a failure sets the exit code', async () => {
  // A file for the run under test: what is skipped in it is there to be counted.
  const text =
    "test('a', () => {}); test.skip('b', () => {}); test.todo('c'); test('d', () => { expect(1).toBe(2); });";
  expect(await runTests({ 'a.test.ts': text })).toEqual({
    code: 1,
    lastLine: '1 passed, 1 failed, 2 skipped',
    failed: ['a.test.ts > d: expected 1 to be 2 // Object.is equality'],
  });
});

test('a failed import, a failed hook and an unhandled rejection count as failures', async () => {
  const ended = await runTests({
    'import.test.ts': "import './not-there.ts';",
    'hook.test.ts':
      "describe('s', () => { beforeAll(() => { throw new Error('x'); }); test('a', () => {}); });",
    'stray.test.ts': "test('a', () => { void Promise.reject(new Error('stray')); });",
  });
  expect(ended).toMatchObject({ code: 1, lastLine: '1 passed, 3 failed, 1 skipped' });
  expect(ended.failed.toSorted()).toEqual([
    'hook.test.ts: x',
    expect.stringMatching(/^import\.test\.ts: Cannot find module/u),
    'outside of a test: stray',
  ]);
});

test('a run without any test counts as a failure', async () => {
  expect(await runTests({})).toEqual({ code: 1, lastLine: '0 passed, 1 failed, 0 skipped', failed: [] });
});

test('a run with passed tests only ends with 0, and leaves the bundle that other runs use as it is', async () => {
  const passing = { 'a.test.ts': "test('a', () => {});" };
  const passed = { code: 0, lastLine: '1 passed, 0 failed, 0 skipped', failed: [] };
  const store = join(house, '.millrace/test-bundle');
  // `npm test` has just made it; a file that runs alone makes it here.
  if (process.env['MILLRACE_TEST_BUNDLE'] !== store)
    expect(await runTests(passing, { ownBundle: true })).toEqual(passed);
  const bundle = filesOf(store);
  expect(bundle).toContainEqual(expect.stringContaining('worker-process.js'));
  expect(await runTests(passing, { ownBundle: true })).toEqual(passed);
  expect(filesOf(store)).toEqual(bundle);
});

/** The paths of all files in a folder, each with the number that a file gets when it is made. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => `${name} ${statSync(join(folder, name)).ino} ${statSync(join(folder, name)).mtimeMs}`);
}
