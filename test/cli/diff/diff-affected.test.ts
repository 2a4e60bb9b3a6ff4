import { expect, test } from 'vitest';
import { diffProject, filtered, pipeline } from './diff-project.ts';

const script = (sql: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: "${sql}" } }
`;
const ran = (name: string) =>
  `pipeline: ${name}\ntests:\n  - { name: runs, expect: { ran: [Fill] } }\n  - { name: runs again, expect: { ran: [Fill] } }\n`;
const files = {
  'fill.orch.yaml': script('CREATE TABLE T AS SELECT 1 AS ID'),
  'fill.test.yaml': ran('fill'),
  'other.orch.yaml': script('CREATE TABLE U AS SELECT 1 AS ID'),
};

test('--affected runs affected tests only: they say the same as in the whole diff, and the others are counted', async () => {
  using folder = diffProject(files);
  folder.write(pipeline, filtered(5));
  folder.write('fill.orch.yaml', script('create table T as\\n  select 1 as ID -- one'));
  folder.write('other.orch.yaml', script('CREATE TABLE U AS SELECT 2 AS ID'));
  const whole = await folder.diff();
  const part = await folder.diff('--affected', 'HEAD');
  expect([whole.tests, whole.leftOut, part.tests, part.leftOut]).toEqual([3, undefined, 1, 2]);
  expect({ ...part, leftOut: undefined, tests: 3, compared: whole.compared }).toEqual({
    ...whole,
    leftOut: undefined,
  });
  expect(part.untested).toEqual([{ file: 'other.orch.yaml', change: 'changed' }]);
  expect((await folder.text('--affected', 'HEAD')).stdout).toContain(
    '2 tests were left out, because nothing that they read changed in what it does.\n',
  );
});

test('--affected says so if no test is affected, and if all are', async () => {
  using folder = diffProject(files);
  folder.write('fill.orch.yaml', script('/* one */ create table T as select 1 as ID'));
  const none = await folder.text('--affected', 'HEAD', '--exit-code');
  expect(none).toMatchObject({ code: 0 });
  expect(none.stdout).toMatch(
    /3 tests were left out.*\nNo data changes in the tests: none of them reads what has changed\.\n$/,
  );
  const one = await folder.text('fill.test.yaml', '--affected', 'HEAD', '--filter', 'nothing has this name');
  expect([one.code, one.stderr]).toEqual([2, expect.stringContaining('nothing has this name')]);
  folder.write('fill.orch.yaml', script('create table T as select 2 as ID'));
  expect((await folder.text('fill.test.yaml', '--affected', 'HEAD')).stdout).toContain(
    'All tests are affected, so none was left out.',
  );
});

test('--affected without a change runs nothing, as the whole diff; another --base is refused', async () => {
  using folder = diffProject(files);
  expect(await folder.diff('--affected', 'HEAD')).toEqual(await folder.diff());
  const refused = await folder.text('--affected', 'HEAD', '--base', 'HEAD~0');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('both name the commit to compare with'),
  ]);
});
