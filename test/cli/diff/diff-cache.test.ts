import { expect, test } from 'vitest';
import { inProcess } from '../in-process.ts';
import { testFolder } from '../tests/test-project.ts';
import { diffProject, filtered, pipeline } from './diff-project.ts';

const script = (sql: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: "${sql}" } }
`;
const files = {
  'fill.orch.yaml': script('CREATE TABLE T AS SELECT 1 AS ID'),
  'fill.test.yaml': 'pipeline: fill\ntests: [{ name: runs, expect: { ran: [Fill] } }]\n',
  'other.orch.yaml': script('CREATE TABLE U AS SELECT 1 AS ID'),
};

test('a test in the cache that reads the same on both sides does not run, and the result is the same', async () => {
  using folder = diffProject(files);
  using cache = testFolder();
  const { directory } = folder.repository;
  const options = ['--cache', cache.directory];
  const passed = await inProcess(['test', ...options], { cwd: directory });
  expect(passed.stdout).toContain('2 passed');

  folder.write(pipeline, filtered(5));
  folder.write('other.orch.yaml', script('CREATE TABLE U AS SELECT 2 AS ID'));
  const whole = await folder.diff('--no-cache');
  expect([whole.tests, whole.compared, whole.untested.length]).toEqual([2, 1, 1]);
  expect(await folder.diff(...options)).toEqual(whole);

  // A changed pipeline of which the test passes too: its result is kept, and differs from the one at the base.
  await inProcess(['test', '--update', ...options], { cwd: directory });
  await inProcess(['test', ...options], { cwd: directory });
  expect(await folder.diff(...options)).toEqual(await folder.diff('--no-cache'));
});
