import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { testReportSchema } from '../../../flows/pipeline-tests/report/report-schema.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { copyPipeline, loadPipeline, type TestFolder, testFolder } from './test-project.ts';

const good = `pipeline: daily/build-orders
tests:
  - name: copies the orders
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows: [{ id: 1, note: a }, { id: 2 }]
    expect: { tables: { orders: { rows: [{ id: 1, note: a }, { id: 2 }] } } }
`;

const bad = good
  .replace('copies the orders', 'copies other orders')
  .replace(
    'rows: [{ id: 1, note: a }, { id: 2 }] } } }',
    'rows: [{ id: 1, note: b }, { id: 3, note: "2" }] } } }',
  );

function project(files: Readonly<Record<string, string>> = {}): TestFolder {
  return testFolder({
    'daily/build-orders.tran.yaml': copyPipeline,
    'daily/load.orch.yaml': loadPipeline,
    ...files,
  });
}

/** One test of the loading pipeline. */
const load = (body: string) => `pipeline: daily/load\ntests:\n  - name: loads\n${body}`;
const staged = `    given:
      staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR } }
`;

/** A second is over at once; a longer wait never ends by itself. */
const onlyShortWaits: Clock = {
  now: () => 0,
  sleep: (ms, signal) =>
    ms <= 1000
      ? setImmediate()
      : new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
};

describe('exit codes', () => {
  test('0 when all tests passed', async () => {
    using folder = project({ 'daily/build-orders.test.yaml': good });
    const ended = await folder.run();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(
      /^daily\/build-orders\.test\.yaml\n {2}passed {3}copies the orders {2}\d+ ms\n\n1 test: 1 passed, 0 failed, 0 refused\.\n$/,
    );
  });

  test('1 when an expectation is false, with expected and actual rows side by side', async () => {
    using folder = project({ 'daily/build-orders.test.yaml': bad });
    const { code, stdout } = await folder.run();
    expect(code).toBe(1);
    expect(stdout).toContain(`
daily/build-orders.test.yaml:3 copies other orders
  8:42  table "orders": 1 row differs, 1 expected row is not in it, 1 row was not expected; written by "Write Orders" (daily/build-orders.tran.yaml:12)
      expected | actual
      id  note | id  note
    ~ 1   b    | 1   a
          ^          ^
    - 3   "2"  |
    +          | 2   null
`);
    expect(stdout).toContain('1 test: 0 passed, 1 failed, 0 refused.\n');
  });

  test('1 when the engine refuses a construct: file, line, component and construct', async () => {
    using folder = project({
      'daily/build-orders.tran.yaml': copyPipeline.replace('type: rewrite-table', 'type: rewrite-lake'),
      'daily/build-orders.test.yaml': good,
    });
    const { code, stdout } = await folder.run();
    expect(code).toBe(1);
    expect(stdout).toContain(
      '\n  daily/build-orders.tran.yaml:12:5  component "Write Orders": Millrace does not support the component type rewrite-lake',
    );
    expect(stdout).toContain('1 test: 0 passed, 0 failed, 1 refused.\n');
  });

  test('1 when a component needs a mock: the lines to add are shown', async () => {
    using folder = project({ 'daily/load.test.yaml': load(`${staged}    expect: { ran: [Done] }\n`) });
    const { code, stdout } = await folder.run();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /load\.orch\.yaml:8:5 {2}component "Load Files": Millrace does not support .*mock the component:\n +mock:\n +Load Files:\n/,
    );
  });

  test.each([
    [
      'a mock that names no component',
      `${staged}    mock: { Load File: {} }\n    expect: { ran: [Done] }\n`,
      'daily/load.test.yaml:6:13: the pipeline daily/load.orch.yaml has no component "Load File"; did you mean "Load Files"?',
    ],
    [
      'a mock in a called pipeline that names no component',
      '    mock: { daily/build-orders#Reed: {} }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:13: the pipeline daily/build-orders.tran.yaml has no component "Reed"',
    ],
    [
      'a component in ran',
      '    expect: { ran: [Dune] }\n',
      'daily/load.test.yaml:4:21: the pipeline daily/load.orch.yaml has no component "Dune"; did you mean "Done"?',
    ],
    [
      'a component in not-ran',
      '    expect: { not-ran: [Write Orders] }\n',
      'daily/load.test.yaml:4:25: the pipeline daily/load.orch.yaml has no component "Write Orders"',
    ],
    [
      'a failed component',
      '    expect: { outcome: { failure: { component: X } } }\n',
      'daily/load.test.yaml:4:48: the pipeline daily/load.orch.yaml has no component "X"',
    ],
    [
      'a variable',
      '    variables: { dey: x }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:18: the pipeline daily/load.orch.yaml has no variable "dey"; did you mean "day"?',
    ],
    [
      'a private variable',
      '    variables: { secret: x }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:18: the variable "secret" is private to the pipeline',
    ],
    [
      'a scalar for a grid',
      '    variables: { regions: x }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:27: the variable "regions" is a grid: write a list of rows',
    ],
    [
      'a text for a number',
      '    variables: { rows_loaded: many }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:31: the variable "rows_loaded" is a number and cannot be "many"',
    ],
    [
      'a type',
      `${staged.replace('DATE', 'DAT')}    expect: { ran: [Done] }\n`,
      'daily/load.test.yaml:5:53: "DAT" is not a type of the warehouse (column "day")',
    ],
    [
      'a value that does not fit',
      `    given:\n      t:\n        columns: { id: NUMBER }\n        rows:\n          - { id: 1 }\n          - { id: x }\n    expect: { ran: [Done] }\n`,
      'daily/load.test.yaml:9:19: row 2: "x" is not a NUMBER(38,0)',
    ],
    [
      'a value that its column would round',
      `    given:\n      t:\n        columns: { id: NUMBER }\n        rows:\n          - { id: 10.00 }\n          - { id: 9.99 }\n    expect: { ran: [Done] }\n`,
      'daily/load.test.yaml:9:19: row 2: "9.99" has more decimal places than NUMBER(38,0)',
    ],
    [
      'a column whose name is almost one of `columns`',
      '    given: { t: { columns: { shipment_id: NUMBER }, rows: [{ shipment_id: 1, n: 2 }, { shipmentid: 3 }] } }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:100: the column "shipmentid" is not in `columns`; did you mean "shipment_id"?',
    ],
    [
      'columns that differ in case only',
      '    given: { t: { rows: [{ id: 1 }, { ID: 2 }] } }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:43: the columns "id" and "ID" differ only in upper and lower case',
    ],
    [
      'tables that differ in case only',
      '    given: { t: { rows: [{ id: 1 }] }, T: { rows: [{ id: 2 }] } }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:40: the table "T": Millrace does not support the tables "t" and "T"; their names differ only in upper and lower case',
    ],
    [
      'numbers and texts in a column',
      '    given: { t: { rows: [{ id: 1 }, { id: x }] } }\n    expect: { ran: [Done] }\n',
      'daily/load.test.yaml:4:43: the column "id" has values of several types',
    ],
    [
      'a column without a name',
      "    given: { t: { rows: [{ id: 1, '': 2 }] } }\n    expect: { ran: [Done] }\n",
      'daily/load.test.yaml:4:39: `` must be the name of a column, and is empty',
    ],
  ])('2 for %s that is wrong, with file, line and column', async (_, body, expected) => {
    using folder = project({ 'daily/load.test.yaml': load(body) });
    const ended = await folder.run();
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`error: ${expected}`);
    expect(ended.stderr).toContain('code: test-invalid');
  });

  test('2 for a pipeline that does not exist, and for one that cannot be read', async () => {
    using folder = project({ 'a.test.yaml': good.replace('daily/build-orders', 'daily/build-order') });
    expect((await folder.run()).stderr).toContain(
      'a.test.yaml:1:11: the pipeline "daily/build-order" does not exist in the project',
    );
    folder.write('daily/build-order.tran.yaml', 'pipeline: [\n');
    expect((await folder.run()).stderr).toContain('error: daily/build-order.tran.yaml:2:1: ');
  });

  test('2 for a transition to a component that does not exist, at its place in the pipeline', async () => {
    using folder = project({
      'daily/load.orch.yaml': loadPipeline.replace('[Notify Failure]', '[Notify Failur]'),
      'daily/load.test.yaml': load('    expect: { ran: [Done] }\n'),
    });
    const message =
      'error: daily/load.orch.yaml:10:57: The transition on failure of "Load Files" names "Notify Failur", which does not exist. Did you mean "Notify Failure"?';
    expect(await folder.run()).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(await folder.run('--find-rows', '0s', '--init', 'daily/load', '--dry-run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });

  test('2 when there is no test, never 0', async () => {
    using folder = project();
    expect(await folder.run()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`The project in ${folder.directory} has no test.`),
    });
    expect(await folder.run('daily/load.orch.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No test was found for daily/load.orch.yaml.'),
    });
    folder.write('a.test.yaml', good);
    expect(await folder.run('--filter', 'late')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No test has a name that contains "late".'),
    });
    expect(await folder.run('b.test.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"b.test.yaml" does not exist in the project.'),
    });
  });
});

test('tests are chosen by file, pipeline, folder, glob and name', async () => {
  const second = good.replace('copies the orders', 'copies them again');
  using folder = project({ 'daily/a.test.yaml': good, 'tests/b.test.yaml': second, 'other/c.sql': '' });
  const names = async (...args: string[]) => (await folder.report(...args)).tests.map(({ name }) => name);
  expect(await names()).toEqual(['copies the orders', 'copies them again']);
  expect(await names('tests/b.test.yaml')).toEqual(['copies them again']);
  expect(await names('daily/build-orders.tran.yaml')).toEqual(['copies the orders', 'copies them again']);
  expect(await names('daily/build-orders')).toEqual(['copies the orders', 'copies them again']);
  expect(await names('tests')).toEqual(['copies them again']);
  expect(await names('**/b.*')).toEqual(['copies them again']);
  expect(await names('--filter', 'AGAIN')).toEqual(['copies them again']);
  expect((await folder.run('other')).stderr).toContain('The folder "other" contains no test or pipeline');
  expect((await folder.run('other/c.sql')).stderr).toContain(
    '"other/c.sql" is neither a test file nor a pipeline.',
  );
});

test('a folder with its own millrace.yaml is another project', async () => {
  using folder = project({ 'sub/millrace.yaml': 'version: 1\n', 'sub/a.test.yaml': good });
  expect((await folder.run()).stderr).toContain('give --working-directory sub.');
});

test('tests run at the same time do not see the tables of each other', async () => {
  using folder = project({ 'a.test.yaml': good, 'b.test.yaml': good, 'c.test.yaml': good });
  expect(await folder.report('--jobs', '3')).toMatchObject({ passed: 3, failed: 0, refused: 0 });
});

test('types come from columns, then schemas, then create-table components, then values', async () => {
  const created = `pipeline:
  components:
    Create: { type: create-table, parameters: { newTableName: staging_orders, columns: [[id, NUMBER, "", ""], [day, DATE, "", ""], [amount, NUMBER, "10", "2"], [note, VARCHAR, "", ""]] } }
`;
  using folder = project({
    'daily/create.orch.yaml': created,
    'daily/s.yaml': 'staging_orders: { amount: FLOAT, id: NUMBER, day: TIMESTAMP, note: VARCHAR }\n',
    'a.test.yaml': `pipeline: daily/build-orders
tests:
  - name: create-table
    given: { staging_orders: { rows: [{ id: 1, day: 2026-01-02, amount: '1.50' }] } }
    expect: { tables: { orders: { rows: [{ id: 1, day: 2026-01-02, amount: 1.5, note: null }] } } }
`,
    'daily/b.test.yaml': `pipeline: daily/build-orders
schemas: s.yaml
tests:
  - name: schemas
    given: { staging_orders: { rows: [{ id: 1, day: 2026-01-02 06:00:00, amount: 1.005 }] } }
    expect: { tables: { orders: { rows: [{ id: 1, day: 2026-01-02 06:00:00, amount: 1.005 }] } } }
  - name: columns
    given: { staging_orders: { columns: { id: VARCHAR }, rows: [{ id: 007, amount: 1.005 }] } }
    expect: { tables: { orders: { rows: [{ id: "007", amount: 1.005 }] } } }
  - name: csv
    given: { staging_orders: { file: orders.csv } }
    expect: { tables: { orders: { rows: [{ id: 1, day: 2026-01-02, note: "" }, { id: 2, amount: 3.5, note: null }] } } }
`,
    'daily/orders.csv': 'id,day,amount,note\n1,2026-01-02,,""\n2,,3.5,\n',
  });
  const { tests } = await folder.report();
  expect(
    tests.flatMap(({ name, differences }) => differences.map(({ message }) => `${name}: ${message}`)),
  ).toEqual([]);
});

test('a test that gives a table of `schemas` in millrace.yaml has its columns and types', async () => {
  const files = {
    'millrace.yaml': 'version: 1\nschemas: [tables.yaml]\n',
    'tables.yaml': 'staging_orders: { id: NUMBER, day: DATE, amount: unknown, note: VARCHAR }\n',
    'a.test.yaml': `pipeline: daily/build-orders
tests:
  - name: declared
    given: { staging_orders: { rows: [{ id: 1, day: 2026-01-02, amount: '1.50' }] } }
    expect: { tables: { orders: { rows: [{ id: 1, day: 2026-01-02, amount: '1.50', note: null }] } } }
`,
  };
  using folder = project(files);
  expect(await folder.report()).toMatchObject({ passed: 1, tests: [{ differences: [] }] });
  folder.write('tables.yaml', 'staging_orders: { id: NUMBR }\n');
  const { code, stdout, stderr } = await folder.run();
  expect(code).toBe(2);
  expect(stdout + stderr).toContain('tables.yaml:1:23');
});

describe('formats', () => {
  test('--format json and --json print a report that matches its schema', async () => {
    using folder = project({ 'a.test.yaml': good, 'b.test.yaml': bad });
    const { stdout, code } = await folder.run('--format', 'json', '--coverage');
    expect(code).toBe(1);
    const report: unknown = JSON.parse(stdout);
    expect(testReportSchema.strict().parse(report)).toEqual(report);
    expect(report).toMatchObject({
      passed: 1,
      failed: 1,
      tests: [
        { file: 'a.test.yaml', line: 3, status: 'passed', differences: [] },
        {
          differences: [
            {
              kind: 'changed-row',
              expected: { id: 1, note: 'b' },
              actual: { id: 1, note: 'a' },
              table: 'orders',
            },
            {},
            {},
          ],
        },
      ],
    });
  });

  test('--format junit has a suite for each file and a failure for each failed test', async () => {
    using folder = project({
      'a.test.yaml': good,
      'b.test.yaml': bad.replace('copies other orders', '"<&> other"'),
    });
    const { stdout } = await folder.run('--format', 'junit');
    expect(stdout).toContain('<testsuites name="millrace test" tests="2" failures="1" errors="0"');
    expect(stdout).toContain('<testsuite name="b.test.yaml" tests="1" failures="1" errors="0"');
    expect(stdout).toContain(
      '<testcase name="&lt;&amp;&gt; other" classname="daily/build-orders.tran.yaml" file="b.test.yaml" line="3"',
    );
    expect(stdout).toContain('<failure message="a row of the table &quot;orders&quot; differs">8:42  table');
  });

  test('--format markdown lists failed tests; a foreign name cannot end its code', async () => {
    using folder = project({ 'b.test.yaml': bad.replace('copies other orders', '"</code> @all `x`"') });
    const { stdout } = await folder.run('--format', 'markdown');
    expect(stdout).toMatch(/^### ❌ Test: failed\n\n1 test&#58; 0 passed, 1 failed, 0 refused\.\n/);
    expect(stdout.replace(/```[^]*?\n```/gu, '')).not.toContain('</code> @all');
    expect(stdout).toContain('```text\n8:42  table "orders": 1 row differs');
  });

  test('a terminal escape in a name or a value is not written', async () => {
    using folder = project({
      'b.test.yaml': bad
        .replace('copies other orders', String.raw`"\u001b[31mred"`)
        .replace('note: b', String.raw`note: "\u001b[2J"`),
    });
    for (const format of ['text', 'json', 'junit', 'markdown']) {
      expect((await folder.run('--format', format)).stdout).not.toContain('\u001b');
    }
  });
});

test('--coverage lists components, transitions and branches that no test reached, on their lines', async () => {
  using folder = project({
    'daily/load.test.yaml': load(
      `${staged}    mock: { Load Files: {} }\n    expect: { outcome: { failure: { component: No Orders } } }\n`,
    ),
  });
  const { stdout, code } = await folder.run('--coverage');
  expect(code).toBe(0);
  expect(stdout).toContain(`Coverage
  daily/build-orders.tran.yaml  2 of 2 components, 0 of 0 transitions
  daily/load.orch.yaml  6 of 8 components, 5 of 8 transitions
    10:57  no test takes the transition "failure" from "Load Files" to "Notify Failure"
    25:31  no test takes the branch "true" of "Any Orders" to "Done"
    30:5  no test reaches the component "Notify Failure"
    33:5  no test reaches the component "Done"
`);
  folder.write('alone.orch.yaml', 'pipeline: { components: { Start: { type: start } } }\n');
  const whole = await folder.run('--coverage');
  expect(whole.stdout).toContain(
    'alone.orch.yaml  0 of 1 component, 0 of 0 transitions\n    1:1  no test runs this pipeline\n',
  );
  const part = await folder.run('--coverage', '--filter', 'load');
  expect(part.stdout).not.toContain('alone');
});

test('millrace.yaml names the kind of warehouse: kind 2 folds names to lower case', async () => {
  const sql = `pipeline:
  components:
    Query: { type: sql, parameters: { query: 'SELECT 1 AS Total' } }
    Write: { type: rewrite-table, sources: [Query], parameters: { targetTable: totals } }
`;
  using folder = testFolder({
    'a.tran.yaml': sql,
    'a.test.yaml':
      'pipeline: a\ntests: [{ name: a, expect: { tables: { totals: { rows: [{ TOTAL: 1 }] } } } }]\n',
  });
  expect(await folder.report()).toMatchObject({ passed: 1 });
  folder.write('millrace.yaml', 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n');
  folder.write('a.test.yaml', folder.read('a.test.yaml').replace('TOTAL', 'total'));
  expect(await folder.report()).toMatchObject({ passed: 1 });
});

test('a test has its own time, and ends at its time limit', async () => {
  const endless = `pipeline:
  components:
    Query: { type: sql, parameters: { query: 'SELECT COUNT(*) AS n FROM "a" a CROSS JOIN "a" b CROSS JOIN "a" c CROSS JOIN "a" d CROSS JOIN "a" e CROSS JOIN "a" f' } }
    Write: { type: rewrite-table, sources: [Query], parameters: { targetTable: totals } }
`;
  const rows = Array.from({ length: 100 }, (_, id) => `{ id: ${id} }`).join(', ');
  using folder = testFolder({
    'a.tran.yaml': endless,
    'a.test.yaml': `pipeline: a\ntests:\n  - name: ends\n    timeout: 1s\n    given: { a: { rows: [${rows}] } }\n    expect: { tables: { totals: { count: 1 } } }\n`,
    'b.tran.yaml': `pipeline:
  components:
    Query: { type: sql, parameters: { query: 'SELECT CURRENT_DATE() AS d' } }
    Write: { type: rewrite-table, sources: [Query], parameters: { targetTable: days } }
`,
    'b.test.yaml': `pipeline: b\ntests:\n  - name: after it\n    clock: '2031-05-06T07:08:09Z'\n    expect: { tables: { days: { rows: [{ D: 2031-05-06 }] } } }\n`,
  });
  folder.clock = onlyShortWaits;
  const { tests } = await folder.report('--jobs', '1');
  expect(tests.map(({ status, differences }) => [status, ...differences.map(({ kind }) => kind)])).toEqual([
    ['failed', 'timeout'],
    ['passed'],
  ]);
  expect(tests[0]?.differences[0]?.message).toBe('the pipeline did not end within 1 second');
});

describe('--list', () => {
  const two = good.replace('tests:', 'tests:\n  - { name: Other orders, expect: { ran: [Write Orders] } }');
  const listed = [
    {
      file: 'daily/build-orders.test.yaml',
      line: 3,
      name: 'Other orders',
      pipeline: 'daily/build-orders.tran.yaml',
    },
    {
      file: 'daily/build-orders.test.yaml',
      line: 4,
      name: 'copies the orders',
      pipeline: 'daily/build-orders.tran.yaml',
    },
  ];

  test('prints place, name and pipeline of each test, and runs none', async () => {
    using folder = project({
      'daily/build-orders.test.yaml': two.replace('{ id: 1, note: a }, { id: 2 }', '{ id: 9 }'),
    });
    expect(await folder.run('--list')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `daily/build-orders.test.yaml:3  Other orders  (daily/build-orders.tran.yaml)
daily/build-orders.test.yaml:4  copies the orders  (daily/build-orders.tran.yaml)
2 tests.
`,
    });
  });

  test.each([['--json'], ['--format', 'json']])('with %s %s, prints one document', async (...format) => {
    using folder = project({ 'daily/build-orders.test.yaml': two });
    const { code, stdout } = await folder.run('--list', ...format);
    expect({ code, list: JSON.parse(stdout) as unknown }).toEqual({ code: 0, list: { tests: listed } });
  });

  test('takes files and --filter', async () => {
    using folder = project({
      'daily/build-orders.test.yaml': two,
      'daily/load.test.yaml': load(staged + '    expect: { ran: [Done] }\n'),
    });
    const { stdout } = await folder.run('--list', '--json', 'daily/build-orders', '--filter', 'OTHER');
    expect(JSON.parse(stdout)).toEqual({ tests: listed.slice(0, 1) });
  });

  test('lists the tests of other files where a file is wrong, and is exit code 2', async () => {
    using folder = project({
      'daily/build-orders.test.yaml': two,
      'daily/load.test.yaml': load('    expect: { ran: [Dune] }\n'),
    });
    const { code, stdout } = await folder.run('--list', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      tests: listed,
      problems: [{ file: 'daily/load.test.yaml', line: 4 }],
    });
    const text = await folder.run('--list');
    expect(text).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('daily/load.test.yaml:4:21') as unknown,
    });
    expect(text.stdout).toContain('2 tests.');
  });

  test('is exit code 2 where no test has the name', async () => {
    using folder = project({ 'daily/build-orders.test.yaml': two });
    expect((await folder.run('--list', '--filter', 'nothing')).code).toBe(2);
  });

  test.each([['--coverage'], ['--watch'], ['--update'], ['--init', 'daily/load'], ['--format', 'junit']])(
    'refuses %s %s: nothing runs',
    async (...option) => {
      using folder = project({ 'daily/build-orders.test.yaml': two });
      const { code, stderr } = await folder.run('--list', ...option);
      expect(code).toBe(2);
      expect(stderr).toContain(
        `--list runs no test, so ${option[0] === '--init' ? '--init' : option.join(' ')} has no effect.`,
      );
    },
  );
});
