import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyPipeline, type TestFolder, testFolder } from './test-project.ts';

let folder: TestFolder;
beforeAll(() => {
  folder = testFolder({ 'copy.tran.yaml': copyPipeline });
});
afterAll(() => folder[Symbol.dispose]());

const columns = 'columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }';
const row = "{ id: 1, day: '2026-01-01', amount: 2, note: b }";

/** A test whose line 4 has the given tables, and whose line 5 has what it expects. */
const oneTest = (given: string, expected: string) =>
  `pipeline: copy\ntests:\n  - name: copies\n    given: ${given}\n    expect: ${expected}\n`;

describe('a mistake in a pipeline is named with what it may mean', () => {
  test.each([
    [
      'a type of a component',
      ['rewrite-table', 'rewrite-tabel'],
      'component "Write Orders": Millrace does not support the component type rewrite-tabel; did you mean "rewrite-table"? Otherwise, mock the component:',
    ],
    [
      'a type of orchestrations',
      ['table-input', 'start'],
      'does not support the component type start; this type belongs to orchestrations, which are in .orch.yaml files. Otherwise, mock the component:',
    ],
    [
      'a parameter',
      ['columnNames', 'columNames'],
      'component "Staged": Millrace does not support the parameter columNames; did you mean "columnNames"?',
    ],
    [
      'a parameter that is close to none',
      ['columnNames', 'basicAdvancedMode'],
      /the parameter basicAdvancedMode; its parameters are .*targetTable/,
    ],
  ] as const)('%s', async (_, [before, after], message) => {
    folder.write('copy.tran.yaml', copyPipeline.replace(before, after));
    folder.write(
      'copy.test.yaml',
      oneTest(`{ staging_orders: { ${columns}, rows: [${row}] } }`, '{ ran: [Staged] }'),
    );
    const { stdout } = await folder.run();
    folder.write('copy.tran.yaml', copyPipeline);
    if (typeof message === 'string') expect(stdout).toContain(message);
    else expect(stdout).toMatch(message);
  });
});

describe('a mistake in a called pipeline is an error of that file', () => {
  const caller = `pipeline:
  components:
    Start: { type: start, transitions: { success: [Call, Again] } }
    Call: { type: run-orchestration, parameters: { orchestrationJob: called } }
    Again: { type: print-variables, parameters: { variablesToInclude: [] } }
`;
  const called = caller.replace('Call, Again', 'Again').replace(/ {4}Call.*\n/, '');
  test.each([
    ['a transition that no component has', called.replace('success', 'succes'), 'called.orch.yaml:3:42 '],
    ['a source that does not exist', called.replace('[Again]', '[Agian]'), 'called.orch.yaml:3:'],
  ])('%s', async (_, text, place) => {
    using own = testFolder({
      'caller.orch.yaml': caller,
      'called.orch.yaml': text,
      'a.test.yaml': 'pipeline: caller\ntests: [{ name: a, expect: { ran: [Call] } }]\n',
    });
    const { code, stderr } = await own.run();
    expect(code).toBe(2);
    expect(stderr.replace('called.orch.yaml:3:42: ', 'called.orch.yaml:3:42 ')).toContain(place);
  });

  test('a tested pipeline without components is an error, and a called one is not', async () => {
    using own = testFolder({
      'caller.orch.yaml': caller,
      'called.orch.yaml': 'pipeline: {}\n',
      'a.test.yaml': 'pipeline: called\ntests: [{ name: a, expect: { tables: { a: absent } } }]\n',
    });
    expect((await own.run()).stderr).toContain('called.orch.yaml:1:1: the pipeline has no components.');
    own.write('a.test.yaml', 'pipeline: caller\ntests: [{ name: a, expect: { ran: [Call] } }]\n');
    expect((await own.run()).code).toBe(1);
  });
});

describe('a failure of a pipeline is explained', () => {
  const counting = (query: string, variable: string) => `pipeline:
  components:
    Start: { type: start, transitions: { success: [Count] } }
    Count:
      type: query-to-scalar
      parameters: { mode: Advanced, query: '${query}', scalarVariableMapping: [[${variable}, n]] }
  variables:
    loaded: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`;
  test.each([
    [
      'a name of a table without quotes',
      counting('SELECT 1 AS n FROM orders', 'loaded'),
      'a.test.yaml:2:29: the pipeline reads the table "ORDERS" (count.orch.yaml:6:64), but this one is "orders": upper and lower case differ. SQL reads a name without quotes in upper case: write "orders" with quotes there.',
    ],
    [
      'a misspelled variable',
      counting('SELECT 1 AS n', 'laoded'),
      ': the variable "laoded" is not defined; did you mean "loaded"?',
    ],
    [
      'a variable that nobody declares',
      counting('SELECT ${x} AS n', 'loaded'),
      'count.orch.yaml:6:54: the variable "x" is not defined; declare it in `variables` of count.orch.yaml, or give it a value in `variables` of the test',
    ],
  ])('%s', async (_, text, message) => {
    using own = testFolder({
      'count.orch.yaml': text,
      'a.test.yaml':
        'pipeline: count\ntests: [{ name: a, given: { orders: { rows: [{ id: 1 }] } }, expect: { ran: [Count] } }]\n',
    });
    const { stdout, stderr } = await own.run();
    expect(stdout + stderr).toContain(message);
  });
});

describe('a mistake in a name is answered with the closest one', () => {
  test.each([
    [['copi'], 'files: "copi" does not exist in the project. Did you mean "copy"?'],
    [
      ['cpoy.test.yaml'],
      'files: "cpoy.test.yaml" does not exist in the project. Did you mean "copy.test.yaml"?',
    ],
    [['--init', 'copi'], 'The pipeline "copi" does not exist in the project. Did you mean "copy"?'],
  ])('%j', async (args, message) => {
    expect((await folder.run(...args)).stderr).toContain(message);
  });

  test.each(['copy.tran.yml', 'copy.TRAN.YAML', 'copy.yaml'])(
    'a test of %s says that this file is not a pipeline by its name',
    async (name) => {
      using own = testFolder({
        [name]: copyPipeline,
        'copy.test.yaml': oneTest('{}', '{ ran: [Staged] }'),
      });
      const { code, stderr } = await own.run();
      expect(stderr).toContain(`${name} is not a pipeline: its name must end in .orch.yaml or .tran.yaml`);
      expect(code).toBe(2);
    },
  );

  test.each([
    ['copy.test.yml', 'copy.test.yaml'],
    ['Copy.Test.yaml', 'Copy.test.yaml'],
    ['copy.tests.yaml', 'copy.test.yaml'],
    ['copy_test.yaml', 'copy.test.yaml'],
    ['copy-test.yml', 'copy.test.yaml'],
    ['test_copy.yaml', 'copy.test.yaml'],
    ['daily/test-copy.yaml', 'daily/copy.test.yaml'],
    ['daily/tests.yaml', 'daily/tests.test.yaml'],
  ])('a test file with another suffix is refused, not left out: %s', async (name, renamed) => {
    using own = testFolder({
      'copy.tran.yaml': copyPipeline,
      'right.test.yaml': oneTest(`{ staging_orders: { ${columns} } }`, '{ ran: [Staged] }'),
      [name]: oneTest('{}', '{ ran: [Staged] }'),
      'settings.test.yml': 'tests: of another tool',
      'test_settings.yaml': 'tests: of another tool',
      'test_load.orch.yaml': copyPipeline,
      'latest.yaml': oneTest('{}', '{ ran: [Staged] }'),
    });
    const { code, stderr } = await own.run();
    expect(stderr).toContain(
      `${name}:1:1: the name of a test file must end in .test.yaml: rename it to ${renamed}`,
    );
    expect(stderr).not.toMatch(/settings|test_load|latest/);
    expect(code).toBe(2);
    expect((await own.run('copy')).code).toBe(2);
  });

  const misnamed = oneTest('{}', '{ ran: [Staged] }');
  test.each([
    ['Latin-1', Buffer.from(`${misnamed}# gr\u00fcn\n`, 'latin1')],
    ['UTF-16', Buffer.from(`\uFEFF${misnamed}`, 'utf16le')],
    ['YAML with a mistake', Buffer.from(`${misnamed}    - [\n`)],
    ['a Git LFS pointer', Buffer.from('version https://git-lfs.github.com/spec/v1\n')],
  ])('a test file with another suffix that cannot be read is refused, too: %s', async (_, content) => {
    using own = testFolder({
      'copy.tran.yaml': copyPipeline,
      'right.test.yaml': oneTest(`{ staging_orders: { ${columns} } }`, '{ ran: [Staged] }'),
      'copy.test.yml': content,
      'settings.test.yml': Buffer.from('tests: gr\u00fcn', 'latin1'),
    });
    const { code, stderr } = await own.run();
    expect(stderr).toMatch(/copy\.test\.yml:\d+:\d+/);
    expect(stderr).not.toContain('settings.test.yml');
    expect(code).toBe(2);
  });

  test('a test file that is a symbolic link is refused, not left out', async () => {
    using own = testFolder({
      'copy.tran.yaml': copyPipeline,
      'right.test.yaml': oneTest(`{ staging_orders: { ${columns} } }`, '{ ran: [Staged] }'),
    });
    symlinkSync('right.test.yaml', join(own.directory, 'link.test.yaml'));
    const { code, stderr } = await own.run();
    expect(stderr).toContain(
      'link.test.yaml:1:1: the test file is a symbolic link, which Millrace does not follow: replace it by a plain file',
    );
    expect(code).toBe(2);
  });

  test.skipIf(process.platform === 'win32')('a named pipe is refused, and not waited for', async () => {
    using own = testFolder({
      'copy.tran.yaml': copyPipeline,
      'right.test.yaml': oneTest(`{ staging_orders: { ${columns} } }`, '{ ran: [Staged] }'),
    });
    execFileSync('mkfifo', [join(own.directory, 'pipe.test.yaml')]);
    const { code, stderr } = await own.run();
    expect(stderr).toContain('pipe.test.yaml:1:1: the test file is a named pipe: replace it by a plain file');
    expect(code).toBe(2);
    expect((await own.run('pipe.test.yaml')).code).toBe(2);
  });

  test.each([
    ['1,5', '5'],
    ['1,000.50', '000.50'],
    ['1,5 €', '5 €'],
    ['Smith, John', 'John'],
    ['a,b', 'b'],
    ['1, "b"', 'b'],
  ])(
    'a comma in a value without quotes is refused, although YAML takes it for the end: %s',
    async (value, column) => {
      using own = testFolder({
        'copy.tran.yaml': copyPipeline,
        'comma.test.yaml': oneTest(
          `{ staging_orders: { rows: [{ id: 1, amount: ${value} }] } }`,
          '{ ran: [Staged] }',
        ),
      });
      const { code, stderr } = await own.run();
      expect(code).toBe(2);
      expect(stderr).toContain('comma.test.yaml:4:');
      expect(stderr).toContain(`the column "${column}" has no value. A comma ends a value`);
    },
  );

  test('a column without a value, but with its colon, is null', async () => {
    using own = testFolder({
      'copy.tran.yaml': copyPipeline,
      'null.test.yaml': oneTest(
        `{ staging_orders: { ${columns}, rows: [{ id: 1, amount: }, { "id": 2, amount : }] } }`,
        '{ ran: [Staged] }',
      ),
    });
    expect((await own.run()).code).toBe(0);
  });

  test('a file of another tool is not a test', async () => {
    using own = testFolder({ 'copy.tran.yaml': copyPipeline, 'copy.test.yml': 'tests: of another tool' });
    const message = `The project in ${own.directory} has no test. copy.test.yml is not a test: its name must end in .test.yaml.`;
    expect((await own.run()).stderr).toContain(message);
  });
});

describe('a mistake in a test is named with what it may mean', () => {
  const given = (table: string, cells = row) => `{ ${table}: { ${columns}, rows: [${cells}] } }`;
  const ran = '{ ran: [Staged] }';
  test.each([
    [
      'a table of `given`',
      oneTest(given('stagging_orders'), ran),
      'was not found; `given` has "stagging_orders" (4:14)\n',
    ],
    [
      'a table of `given` in another case',
      oneTest(given('Staging_Orders'), ran),
      'copy.test.yaml:4:14: the pipeline reads the table "staging_orders" (copy.tran.yaml:10:22), but this one is "Staging_Orders": upper and lower case differ.',
    ],
    [
      'a column of `given`',
      oneTest('{ staging_orders: { rows: [{ id: 1, day: a, amuont: 2, note: b }] } }', ran),
      'it has "id", "day", "amuont", "note"; "staging_orders" in `given` has "amuont" (4:64)',
    ],
    [
      'a column of `given` in another case',
      oneTest('{ staging_orders: { rows: [{ id: 1, day: a, Amount: 2, note: b }] } }', ran),
      'copy.test.yaml:4:64: the pipeline reads the column "amount" (copy.tran.yaml:11:32), but the table "staging_orders" has "Amount": upper and lower case differ.',
    ],
    [
      'a type in `given`',
      oneTest(given('staging_orders').replace('day: DATE', 'day: DAET'), ran),
      '"DAET" is not a type of the warehouse (column "day"); did you mean "DATE"?',
    ],
    [
      'an expected table',
      oneTest(given('staging_orders'), '{ tables: { order: { count: 1 } } }'),
      'the table "order" does not exist; did you mean "orders"?',
    ],
    [
      'an expected column',
      oneTest(given('staging_orders'), '{ tables: { orders: { rows: [{ idd: 1 }] } } }'),
      'the table "orders" has no column "idd"; did you mean "id"? Written by "Write Orders" (copy.tran.yaml:12)\n',
    ],
    [
      'a column of one row of `given`',
      oneTest(
        '{ staging_orders: { rows: [{ id: 1, day: a, amount: 2, note: b }, { id: 2, amuont: 3 }] } }',
        '{ tables: { orders: { rows: [{ id: 1 }, { id: 2, amount: 3 }] } } }',
      ),
      'copy.test.yaml:4:95: the column "amuont" is in this row only, and the row has no column "amount"; did you mean "amount"?',
    ],
    [
      'a column of two rows of `given`',
      oneTest(
        '{ staging_orders: { rows: [{ id: 1, day: a, amount: 2, note: b }, { id: 2, amuont: 3 }, { id: 4, amuont: 4 }, { id: 5, amount: 4 }] } }',
        '{ tables: { orders: { rows: [{ id: 1 }, { id: 2, amount: 3 }, { id: 4 }, { id: 5 }] } } }',
      ),
      '; `given` has "amount" in some rows of "staging_orders", and "amuont" in others; written by',
    ],
    [
      'a CSV file without the names of its columns',
      oneTest(`{ staging_orders: { ${columns}, file: no-header.csv } }`, ran),
      'copy.test.yaml:4:14: the first line of the CSV file must contain the names of its columns, but none of "7", "2026-01-01" is in `columns`.',
    ],
    [
      'the pipeline',
      oneTest(given('staging_orders'), ran).replace('copy', 'copi'),
      'copy.test.yaml:1:11: the pipeline "copi" does not exist in the project; did you mean "copy"?',
    ],
    [
      'a component of a called pipeline',
      oneTest(given('staging_orders'), ran).replace('given', 'mock: { copy#Stagd: {} }\n    given'),
      'copy.test.yaml:4:13: the pipeline copy.tran.yaml has no component "Stagd"; did you mean "Staged"?',
    ],
    [
      'a called pipeline',
      oneTest(given('staging_orders'), ran).replace('given', 'mock: { copi#Staged: {} }\n    given'),
      'copy.test.yaml:4:13: the pipeline "copi" does not exist in the project; did you mean "copy"?',
    ],
    [
      'a pipeline that is never called',
      oneTest(given('staging_orders'), ran).replace('given', 'mock: { other#Staged: {} }\n    given'),
      'copy.test.yaml:4:13: copy.tran.yaml does not call other.tran.yaml, so that the mock has no effect.',
    ],
  ])('%s', async (_, text, message) => {
    folder.write('other.tran.yaml', copyPipeline);
    folder.write('no-header.csv', '7,2026-01-01\n');
    folder.write('copy.test.yaml', text);
    const { stdout, stderr, code } = await folder.run();
    expect(stdout + stderr).toContain(message);
    expect(code).toBe(stderr === '' ? 1 : 2);
  });

  test('no expected rows where there are some: all columns are shown', async () => {
    folder.write('copy.test.yaml', oneTest(given('staging_orders'), '{ tables: { orders: { rows: [] } } }'));
    const { stdout } = await folder.run();
    expect(stdout).toContain('  5:25  table "orders": 1 row was not expected');
    expect(stdout).toMatch(/actual\n {6}id +day +amount +note +\| id {2}day {9}amount {2}note\n/);
    expect(stdout).toContain('| 1   2026-01-01  2       b');
  });
});
