import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/testing.md'), 'utf8');

const query = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Sum] } }
    Sum:
      type: query-to-scalar
      transitions: { success: [Note] }
      parameters:
        mode: Advanced
        query: 'SELECT SUM(o.amount) AS total FROM sales.orders o JOIN customers c ON c.id = o.customer_id WHERE o.day <= CURRENT_DATE()'
        scalarVariableMapping: [[total, TOTAL]]
    Note: { type: send-email, transitions: { success: [Script] } }
    Script:
      type: python-pushdown
      parameters: { pythonScript: "context.updateVariable('batch_number', 5)" }
  variables:
    total: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
    batch_number: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`;

describe('--init writes a first test that passes', () => {
  test.each([
    [
      'a transformation',
      'daily/build-orders',
      'daily/build-orders',
      ['given:', 'staging_orders:', 'orders:'],
    ],
    [
      'an orchestration that needs a mock',
      'daily/load.orch.yaml',
      'daily/load',
      ['mock:', 'Load Files:', 'rows_loaded: 1', 'not-ran: [Notify Failure, No Orders]'],
    ],
    [
      'tables that only SQL names, notices and Python',
      'query',
      'query',
      [
        'sales.orders'.toUpperCase(),
        'CUSTOMERS:',
        'CUSTOMER_ID',
        'total: 1.5',
        'batch_number: 1',
        'Note: {}',
      ],
    ],
  ])('for %s', async (_, name, file, parts) => {
    using folder = testFolder({
      'daily/build-orders.tran.yaml': copyPipeline,
      'daily/load.orch.yaml': loadPipeline,
      'query.orch.yaml': query,
    });
    const ended = await folder.run('--find-rows', '0s', '--init', name);
    expect(ended).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining(`Wrote ${file}.test.yaml.`),
    });
    for (const part of parts) expect(folder.read(`${file}.test.yaml`)).toContain(part);
    expect(await folder.report()).toMatchObject({ passed: 1, failed: 0, refused: 0 });
  });

  test('and gives a number that a condition compares with a whole one a scale', async () => {
    const [, pipeline = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    using folder = testFolder({ 'build-orders.tran.yaml': pipeline });
    await folder.run('--find-rows', '0s', '--init', 'build-orders');
    expect(folder.read('build-orders.test.yaml')).toContain(
      "columns: { id: NUMBER, amount: 'NUMBER(38,2)' }",
    );
  });

  test('and fails when the pipeline changes', async () => {
    using folder = testFolder({ 'daily/build-orders.tran.yaml': copyPipeline });
    await folder.run('--find-rows', '0s', '--init', 'daily/build-orders');
    folder.write(
      'daily/build-orders.tran.yaml',
      copyPipeline.replace('targetTable: orders', 'targetTable: other'),
    );
    expect(await folder.report()).toMatchObject({ failed: 1 });
  });
});

test('--init does not overwrite a file, and --dry-run writes none', async () => {
  using folder = testFolder({ 'a.tran.yaml': copyPipeline });
  const dry = await folder.run('--find-rows', '0s', '--init', 'a', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pipeline: a\ntests:\n/) });
  expect(folder.has('a.test.yaml')).toBe(false);
  folder.write('a.test.yaml', 'mine');
  expect(await folder.run('--find-rows', '0s', '--init', 'a')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a.test.yaml exists already'),
  });
  expect(folder.read('a.test.yaml')).toBe('mine');
});

const readsPast = copyPipeline.replace('columnNames:', 'timeOffset: 1h\n        columnNames:');
/** No mock of the refused component lets this one run. */
const fails = `${readsPast.replace('sources: [Staged]', 'sources: [Sql]')}    Sql: { type: sql, sources: [Staged], parameters: { query: 'select 1 / 0 as id from $T{Staged}' } }\n`;

test('--init mocks a component that the engine refuses, and names the construct', async () => {
  using folder = testFolder({ 'a.tran.yaml': readsPast });
  expect(await folder.run('--find-rows', '0s', '--init', 'a')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /\n {2}a\.tran\.yaml:11:21 {2}component "Staged": Millrace does not support a table read at a past time/,
    ),
  });
  expect(folder.read('a.test.yaml')).toMatch(/mock:\n {6}Staged:\n {8}output:\n {10}columns: \{ id: NUMBER/);
  expect(await folder.report()).toMatchObject({ passed: 1, failed: 0, refused: 0 });
});

test('--init writes no test where a refused component cannot be mocked either', async () => {
  using folder = testFolder({ 'a.tran.yaml': fails });
  expect(await folder.run('--find-rows', '0s', '--init', 'a')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^a\.tran\.yaml:11:21 {2}component "Staged": Millrace does not support a table read at a past time/,
    ),
  });
  expect(folder.has('a.test.yaml')).toBe(false);
});

test('--init mocks an assertion that its example rows do not meet, and says so', async () => {
  using folder = testFolder({
    'a.orch.yaml':
      'type: orchestration\nversion: "1.0"\npipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [Check] } }\n    Check: { type: assert-table, parameters: { tableName: orders, rowCountComparisonType: Equal to, rowCountValue: "850" } }\n',
  });
  const ended = await folder.run('--find-rows', '0s', '--init', 'a');
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('expected: equal to 850') });
  expect(folder.read('a.test.yaml')).toContain('Check: {}');
});

test('--init mocks the call of a pipeline that fails with the example rows, and says why', async () => {
  const steps = (...lines: string[]) =>
    `type: orchestration\nversion: "1.0"\npipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [First] } }\n${lines.map((line) => `    ${line}\n`).join('')}`;
  using folder = testFolder({
    'main.orch.yaml': steps(
      'First: { type: run-orchestration, transitions: { success: [Then] }, parameters: { orchestrationJob: load } }',
      'Then: { type: sql-script, parameters: { sqlScript: create table done as select 1 as a } }',
    ),
    'load.orch.yaml': steps(
      'First: { type: send-email, transitions: { success: [Fail] } }',
      'Fail: { type: sql-script, parameters: { sqlScript: create table x as select 1 / 0 as a } }',
    ),
    'unnamed.orch.yaml': steps(
      'First: { type: run-orchestration, parameters: { orchestrationJob: external, setScalarVariables: [[none, ""]] } }',
    ),
    'external.orch.yaml': `${steps('First: { type: create-external-table-sf, parameters: { newTableName: "${none}", location: x } }')}  variables: { none: { metadata: { type: TEXT, visibility: PUBLIC }, defaultValue: a } }\n`,
  });
  expect(await folder.run('--find-rows', '0s', '--init', 'main')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\n {2}load\.orch\.yaml:7:\d+ {2}component "Fail": .*Division by zero/i),
  });
  expect(folder.read('main.test.yaml')).toContain('    mock:\n      First: {}\n    expect:');
  expect(folder.read('main.test.yaml')).toContain('DONE:');
  expect(await folder.run('--find-rows', '0s', '--init', 'load')).toMatchObject({ code: 1 });
  expect(await folder.run('--find-rows', '0s', '--init', 'unnamed')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('it names no table: the name is empty'),
  });
});

test('--init names the components that it mocks', async () => {
  using folder = testFolder({ 'a.tran.yaml': copyPipeline.replace('rewrite-table', 'rewrite-lake') });
  expect(await folder.run('--find-rows', '0s', '--init', 'a')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Mocked, because they do not run here: Write Orders.\n'),
  });
});

test('--init for a pipeline that does not exist is an error', async () => {
  using folder = testFolder({ 'a.tran.yaml': copyPipeline });
  expect(await folder.run('--find-rows', '0s', '--init', 'b')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The pipeline "b" does not exist in the project.'),
  });
});

describe('--init with a folder', () => {
  test('writes a test beside each pipeline, and says why another has none and how many succeed', async () => {
    using folder = testFolder({
      'daily/build-orders.tran.yaml': copyPipeline,
      'daily/mocked.tran.yaml': readsPast,
      'daily/past.tran.yaml': fails,
      'daily/end.orch.yaml':
        'type: orchestration\nversion: "1.0"\npipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [End] } }\n    End: { type: end-failure }\n',
      'daily/wrong.orch.yaml': 'pipeline: [',
      'other.tran.yaml': copyPipeline,
    });
    const ended = await folder.run('--find-rows', '0s', '--init', 'daily');
    expect(ended.code).toBe(1);
    expect(ended.stdout.trimEnd().split('\n')).toEqual([
      'daily/build-orders.tran.yaml: wrote daily/build-orders.test.yaml',
      'daily/end.orch.yaml: wrote daily/end.test.yaml, which expects its end-failure',
      'daily/mocked.tran.yaml: wrote daily/mocked.test.yaml, which mocks what cannot run:',
      expect.stringMatching(/^ {2}daily\/mocked\.tran\.yaml:11:21 /),
      'daily/past.tran.yaml: no test',
      expect.stringMatching(
        /^ {2}daily\/past\.tran\.yaml:11:21 {2}component "Staged": Millrace does not support /,
      ),
      'daily/wrong.orch.yaml: no test',
      expect.stringMatching(/^ {2}daily\/wrong\.orch\.yaml:1:\d+ {2}/),
      'transformations that succeed in their first test: 1 of 3 (33 %)',
      '  that succeed with mocks for what cannot run: 1 more',
      'orchestrations that succeed in their first test: 0 of 2 (0 %)',
      '  that end in their own end-failure component: 1',
    ]);
    expect(folder.has('daily/past.test.yaml')).toBe(false);
    expect(folder.has('other.test.yaml')).toBe(false);
    expect(await folder.report()).toMatchObject({ passed: 3, failed: 0, refused: 0 });
  });

  test('leaves out pipelines that have a test, and --dry-run writes none and counts all', async () => {
    using folder = testFolder({
      'a.tran.yaml': copyPipeline,
      'b.tran.yaml': copyPipeline,
      'b.test.yaml': 'mine',
    });
    expect(await folder.run('--find-rows', '0s', '--init', '.', '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^a\.tran\.yaml: would write a\.test\.yaml\n.*\n.*: 2 of 2 \(100 %\)\n$/),
    });
    expect(folder.has('a.test.yaml')).toBe(false);
    expect(await folder.run('--find-rows', '0s', '--init', '.')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('b.tran.yaml: has the test file b.test.yaml already\n'),
    });
    expect(folder.has('a.test.yaml')).toBe(true);
    expect(folder.read('b.test.yaml')).toBe('mine');
  });

  test('is an error where the folder has no pipeline', async () => {
    using folder = testFolder({ 'a.tran.yaml': copyPipeline, 'notes/read.md': '' });
    expect(await folder.run('--find-rows', '0s', '--init', 'notes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The folder "notes" contains no pipeline of the project.'),
    });
  });
});

describe('pipelines in folders whose name begins with a dot', () => {
  const files = {
    'a.tran.yaml': copyPipeline,
    '.shared/lib/b.tran.yaml': copyPipeline,
    '.other/c.tran.yaml': copyPipeline,
  };

  test('get no test with a folder if files.include does not match them, and the output names them', async () => {
    using folder = testFolder(files);
    const { code, stdout } = await folder.run('--find-rows', '0s', '--init', '.');
    expect(code).toBe(0);
    expect(stdout).toContain(
      '.other/c.tran.yaml: left out, because a name in its path begins with a dot, and files.include in millrace.yaml does not match it\n',
    );
    expect(folder.has('.other/c.test.yaml') || folder.has('.shared/lib/b.test.yaml')).toBe(false);
    expect(await folder.report()).toMatchObject({ passed: 1 });
  });

  test('get one that `test` finds if files.include matches them', async () => {
    using folder = testFolder({
      ...files,
      'millrace.yaml': 'version: 1\nfiles: { include: ["**/*.tran.yaml", ".shared/**/*.tran.yaml"] }\n',
    });
    const { stdout } = await folder.run('--find-rows', '0s', '--init', '.', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      hidden: ['.other/c.tran.yaml'],
      pipelines: [{ pipeline: '.shared/lib/b.tran.yaml' }, { pipeline: 'a.tran.yaml' }],
    });
    // Tests elsewhere in the included folder are found too, and tests of other folders are not.
    folder.write('.shared/tests/b.test.yaml', folder.read('.shared/lib/b.test.yaml'));
    folder.write('.other/c.test.yaml', folder.read('a.test.yaml'));
    const { tests } = await folder.report();
    expect(tests.map(({ file }) => file).toSorted()).toEqual([
      '.shared/lib/b.test.yaml',
      '.shared/tests/b.test.yaml',
      'a.test.yaml',
    ]);
  });

  test('have tests that are found by the name of the pipeline', async () => {
    using folder = testFolder(files);
    expect(await folder.run('--find-rows', '0s', '--init', '.other/c')).toMatchObject({ code: 0 });
    expect(await folder.report('.other/c.tran.yaml')).toMatchObject({ passed: 1 });
  });
});

test('--init of a folder shows on stderr which pipeline gets its test', async () => {
  using folder = testFolder({ 'a.tran.yaml': copyPipeline, 'b/c.tran.yaml': copyPipeline });
  const { stderr } = await folder.run('--find-rows', '0s', '--init', '.');
  expect(stderr).toBe(
    'Writing a first test for a.tran.yaml (1 of 2)\nWriting a first test for b/c.tran.yaml (2 of 2)\n',
  );
});
