import { expect, test } from 'vitest';
import { mutationReportSchema } from '../../../flows/mutation/report/report-schema.ts';
import { codeBlocks } from '../code-blocks.ts';
import { diffProject, filtered, pipeline } from '../diff/diff-project.ts';
import { inProcess } from '../in-process.ts';
import { type TestFolder, testFolder } from '../tests/test-project.ts';

/** The example of docs/testing.md, whose test lacks the order of exactly 10. */
function pageProject(): TestFolder {
  const [text = '', first = ''] = codeBlocks('testing.md', 'yaml');
  const files = {
    'build-orders.tran.yaml': text.replace('Greater than', 'Greater than or equal to'),
    'build-orders.test.yaml': first.replaceAll(/^ *- \{ id: 2.*\n/gm, ''),
  };
  return testFolder(files);
}

test('docs/testing.md shows what the example does not notice', async () => {
  using folder = pageProject();
  const { code, stdout } = await folder.run('--mutate');
  const command = '$ npx millrace test --mutate\n';
  const shown = codeBlocks('testing.md', '').find((text) => text.startsWith(command)) ?? '';
  expect(stdout.trim()).toBe(shown.replace(command, '').trim());
  expect(code).toBe(0);
});

test('a threshold decides the exit code, and every format has the change that is not noticed', async () => {
  using folder = pageProject();
  const json = await folder.run('--mutate', '--threshold', '80', '--json');
  expect(json.code).toBe(1);
  const report = mutationReportSchema.parse(JSON.parse(json.stdout));
  expect(report).toMatchObject({ outcome: 'failed', threshold: 80, noticed: 3, notNoticed: 1, percent: 75 });
  const { id = '' } = report.changes.find(({ verdict }) => verdict === 'not-noticed') ?? {};
  const junit = await folder.run('--mutate', 'build-orders', '--threshold', '75', '--format', 'junit');
  expect(junit.code).toBe(0);
  expect(junit.stdout).toContain('<testsuites name="millrace test --mutate" tests="4" failures="1"');
  expect(junit.stdout).toContain(`Greater than or equal to → Greater than (${id})`);
  const markdown = await folder.run('--mutate', '--threshold', '80', '--format', 'markdown');
  expect(markdown.stdout).toContain('3 of 4 changes noticed (75 %), below the threshold of 80 %.');
  expect(markdown.stdout).toContain(id);
  folder.write(
    'millrace.yaml',
    `version: 1\nmutation:\n  equal:\n    - { file: build-orders.tran.yaml, change: '${id}', reason: all amounts are whole }\n    - { file: build-orders.tran.yaml, change: '000000', reason: it was so }\n`,
  );
  const marked = await folder.run('--mutate', '--threshold', '100');
  expect(marked.code).toBe(0);
  expect(marked.stdout).toContain('marked as equal: 1');
  expect(marked.stdout).toContain('millrace.yaml marks the change 000000 of build-orders.tran.yaml as equal');
});

test('--find-rows says which changes rows show, and --add-row adds a test with such rows that notices the change', async () => {
  using folder = pageProject();
  const found = await folder.run('--mutate', '--find-rows');
  expect(found.stdout).toContain('Other rows show it: millrace test --add-row 9k3o9d.');
  expect(found.stdout).toContain('Rows were found that show 1 of the 1 change that no test notices.');
  const before = folder.read('build-orders.test.yaml');
  const dry = await folder.run('--add-row', '9k3', '--dry-run');
  expect(folder.read('build-orders.test.yaml')).toBe(before);
  const added = await folder.run('--add-row', '9k3o9d');
  expect(added.code).toBe(0);
  expect(added.stdout).toContain('+          - { id: 1, amount: 10 } # amount: exactly 10');
  expect(added.stdout).toContain("+    # the result of today's pipeline: is it right?");
  expect(dry.stdout.split('\n').slice(0, 18)).toEqual(added.stdout.split('\n').slice(0, 18));
  expect((await folder.run('--mutate')).stdout).toContain('4 of 4 changes noticed (100 %).');
  const again = await folder.run('--add-row', '9k3o9d', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    outcome: 'nothing-to-do',
    reason: expect.stringContaining('(build-orders.test.yaml:14) notices it already'),
  });
});

test.each([
  [['--threshold', '80'], '--threshold has no effect without --mutate'],
  [['--mutate', '--list'], '--mutate cannot be combined with --list'],
  [['--mutate', '--shard', '1/2'], '--mutate cannot be combined with --shard'],
  [['--find-rows'], '--find-rows has no effect without --mutate or --init'],
  [['--mutate', '--add-row', '9k3o9d'], '--mutate cannot be combined with --add-row'],
  [['--add-row', '9k3o9d', '--coverage'], '--add-row cannot be combined with --coverage'],
  [['--add-row', 'zzzzzz'], 'No planted change has the id "zzzzzz"'],
  [['--mutate', 'nothing'], '"nothing" does not exist in the project'],
  [['--mutate', 'build-orders.test.yaml'], 'is neither a pipeline nor a file with SQL'],
  [['--mutate', '--threshold', '101'], 'It must be a whole number from 0 to 100'],
])('%j is wrong use', async (args, message) => {
  using folder = pageProject();
  const { code, stderr } = await folder.run(...args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test('a test that fails without a change, or that is wrong, is reported', async () => {
  using folder = pageProject();
  folder.write(
    'build-orders.test.yaml',
    folder
      .read('build-orders.test.yaml')
      .replace('{ id: 3, amount: 10.01 }\n    expect', '{ id: 3, amount: 1 }\n    expect'),
  );
  const failing = await folder.run('--mutate');
  expect(failing.stdout).toContain('the test "keeps the orders of at least 10" fails without a change');
  expect(failing.code).toBe(1);
  folder.write('other.test.yaml', 'pipeline: build-orders\ntests: []\nwrong: 1\n');
  const wrong = await folder.run('--mutate');
  expect(wrong.stderr).toContain('other.test.yaml');
  expect(wrong.code).toBe(2);
});

test('with --affected, only components that differ from the commit are changed', async () => {
  using project = diffProject({ [pipeline]: filtered(2), 'other.tran.yaml': filtered(3) });
  project.write(pipeline, filtered(4));
  const mutate = async () => {
    const args = ['test', '--mutate', '--affected', 'HEAD', '--json'];
    const { stdout } = await inProcess(args, { cwd: project.repository.directory });
    return mutationReportSchema.parse(JSON.parse(stdout));
  };
  const { outcome, changes } = await mutate();
  expect(outcome).toBe('passed');
  expect(changes.map(({ file, component, after, verdict }) => [file, component, after, verdict])).toEqual([
    [pipeline, 'Large Orders', '', 'not-noticed'],
    [pipeline, 'Large Orders', 'Not', 'noticed'],
    [pipeline, 'Large Orders', 'Greater than or equal to', 'not-noticed'],
    [pipeline, 'Large Orders', 'Less than', 'noticed'],
    [pipeline, 'Large Orders', '5', 'noticed'],
  ]);
  project.write(pipeline, filtered(2));
  expect((await mutate()).outcome).toBe('nothing-to-do');
});
