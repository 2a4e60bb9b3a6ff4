import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMillrace } from '../millrace.ts';
import { type TestFolder, testFolder } from './test-project.ts';
import { startWatched } from '../watched-run.ts';

const waiting = /Waiting for changes\. Press Ctrl-C to stop\.\n/;

const pipeline = (table: string, value = 1) => `pipeline:
  components:
    Query: { type: sql, parameters: { query: 'SELECT ${value} AS n' } }
    Write: { type: rewrite-table, sources: [Query], parameters: { targetTable: ${table} } }
`;
const testOf = (name: string, count = 1) =>
  `pipeline: ${name}\ntests: [{ name: ${name} has a row, expect: { tables: { ${name}: { count: ${count}, rows: [{ N: 1 }] } } } }]\n`;

function project(): TestFolder {
  return testFolder({
    'a.tran.yaml': pipeline('a'),
    'a.test.yaml': testOf('a'),
    'b.tran.yaml': pipeline('b'),
    'b.test.yaml': testOf('b'),
  });
}

/** As editors save: a new file takes the place of the old one. */
function replace(folder: TestFolder, file: string, text: string): void {
  folder.write(`${file}.new`, text);
  renameSync(path.join(folder.directory, `${file}.new`), path.join(folder.directory, file));
}

test('a change runs only the tests that read the changed file, and shows the total of all', async () => {
  using folder = project();
  const run = startWatched(['test', '--watch'], folder.directory);
  const first = await run.next(waiting);
  expect(first).toContain('a.test.yaml\n  passed   a has a row');
  expect(first).toContain('b.test.yaml\n  passed   b has a row');
  replace(folder, 'b.tran.yaml', pipeline('b', 2));
  const second = await run.next(waiting);
  expect(second).toMatch(/^Changed: b\.tran\.yaml\n\nb\.test\.yaml\n {2}failed {3}b has a row/);
  expect(second).toContain('+          | 2');
  expect(second).not.toContain('a.test.yaml');
  expect(second).toContain('2 tests: 1 passed, 1 failed, 0 refused.');
  folder.write('a.test.yaml', testOf('a').replace('has a row', 'has one row'));
  const third = await run.next(waiting);
  expect(third).toContain('Changed: a.test.yaml\n');
  expect(third).toContain(
    'b.test.yaml:2 b has a row: still failed\n2 tests: 1 passed, 1 failed, 0 refused.\n',
  );
  expect(await run.stop()).toBe(1);
  expect(run.rest()).toBe('');
});

test('problems of a test file are shown, and the tests continue after they are fixed', async () => {
  using folder = project();
  folder.write('a.test.yaml', testOf('c'));
  const run = startWatched(['test', '--watch'], folder.directory);
  const first = await run.next(waiting);
  expect(first).toContain('1 test: 1 passed, 0 failed, 0 refused.');
  expect(first).toContain('error: a.test.yaml:1:11: the pipeline "c" does not exist in the project');
  folder.write('c.tran.yaml', pipeline('c'));
  expect(await run.next(waiting)).toContain('2 tests: 2 passed, 0 failed, 0 refused.');
  folder.write('millrace.yaml', 'version: 1\nengine: { warehouse: WAREHOUSE_THREE }\n');
  expect(await run.next(waiting)).toContain('error: millrace.yaml:2:22: ');
  expect(await run.stop()).toBe(2);
});

test('new folders are watched, deleted tests are forgotten, and no test at all is an error', async () => {
  using folder = project();
  const run = startWatched(['test', '--watch'], folder.directory);
  await run.next(waiting);
  mkdirSync(path.join(folder.directory, 'new/deep'), { recursive: true });
  folder.write('new/deep/c.tran.yaml', pipeline('c'));
  folder.write('new/deep/c.test.yaml', testOf('new/deep/c').replaceAll(' new/deep/c:', ' c:'));
  expect(await run.next(/3 tests: 3 passed[^]*?Waiting.*\n/)).toContain('new/deep/c.test.yaml\n  passed');
  folder.write('new/deep/c.tran.yaml', pipeline('c', 3));
  await run.next(/3 tests: 2 passed, 1 failed[^]*?Waiting.*\n/);
  rmSync(path.join(folder.directory, 'new'), { recursive: true });
  await run.next(/2 tests: 2 passed, 0 failed[^]*?Waiting.*\n/);
  rmSync(path.join(folder.directory, 'a.test.yaml'));
  rmSync(path.join(folder.directory, 'b.test.yaml'));
  expect(await run.next(/code: no-test[^]*?Waiting.*\n/)).toContain(
    `error: The project in ${folder.directory} has no test.`,
  );
  folder.write('b.test.yaml', testOf('b'));
  await run.next(/1 test: 1 passed[^]*?Waiting.*\n/);
  expect(await run.stop()).toBe(0);
});

test('a folder that was replaced by another one of its name is watched', async () => {
  using folder = project();
  folder.write('sub/c.tran.yaml', pipeline('c'));
  folder.write('sub/c.test.yaml', testOf('c').replace('pipeline: c', 'pipeline: sub/c'));
  const run = startWatched(['test', '--watch'], folder.directory);
  await run.next(waiting);
  using old = testFolder();
  renameSync(path.join(folder.directory, 'sub'), path.join(old.directory, 'sub'));
  cpSync(path.join(old.directory, 'sub'), path.join(folder.directory, 'sub'), { recursive: true });
  folder.write('a.tran.yaml', pipeline('a', 2));
  expect(await run.next(waiting)).toContain('Changed: a.tran.yaml\n');
  folder.write('sub/c.tran.yaml', pipeline('c', 2));
  expect(await run.next(waiting)).toContain('Changed: sub/c.tran.yaml\n');
  expect(await run.stop()).toBe(1);
});

test('with --coverage, a change runs all tests', async () => {
  using folder = project();
  const run = startWatched(['test', '--watch', '--coverage', '--filter', 'ROW'], folder.directory);
  await run.next(waiting);
  replace(folder, 'b.tran.yaml', pipeline('b').replace('Query:', 'Select:').replace('[Query]', '[Select]'));
  const second = await run.next(waiting);
  expect(second).toContain('a.test.yaml\n  passed   a has a row');
  expect(second).toContain('a.tran.yaml  2 of 2 components');
  expect(await run.stop()).toBe(0);
});

test('no folder is watched after the end', async () => {
  using folder = project();
  folder.write('sub/x.sql', '');
  const watched = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
  // The watchers of the tests before this one are closed a moment later.
  await expect.poll(watched).toBe(0);
  const run = startWatched(['test', '--watch'], folder.directory);
  await run.next(waiting);
  expect(watched()).toBe(2);
  await run.stop();
  await expect.poll(watched).toBe(0);
});

test.each([
  [['--json'], '--json'],
  [['--format', 'json'], '--format json'],
  [['--format', 'junit'], '--format junit'],
  [['--update'], '--update'],
  [['--init', 'a'], '--init'],
])('--watch is refused with %j', async (options, named) => {
  using folder = project();
  const { code, stdout, stderr } = await folder.run('--watch', ...options);
  expect(code).toBe(2);
  expect(stdout + stderr).toContain(
    `--watch cannot be combined with ${named}: --watch runs the tests after each change, and ${named} is for one run.`,
  );
});

test('without a test, or with a wrong name, --watch ends at once', async () => {
  using folder = testFolder({ 'a.tran.yaml': pipeline('a') });
  expect(await folder.run('--watch')).toMatchObject({ code: 2 });
  expect(await folder.run('--watch', 'b.test.yaml')).toMatchObject({ code: 2 });
});

test('Ctrl-C in the first run is exit code 130, and later the exit code of the last run', async () => {
  using folder = project();
  const early = startWatched(['test', '--watch'], folder.directory);
  expect(await early.stop()).toBe(130);
  await using late = startMillrace(['test', '--watch'], { cwd: folder.directory });
  await late.until('stderr', waiting);
  replace(folder, 'a.tran.yaml', pipeline('a', 2));
  await late.until('stdout', /2 tests: 1 passed, 1 failed/);
  await late.until('stderr', /Waiting[^]*Waiting/);
  late.send('SIGINT');
  expect(await late.ended).toMatchObject({ code: 1 });
});
