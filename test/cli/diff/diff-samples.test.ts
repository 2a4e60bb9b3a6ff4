import { truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportOfSamples } from '../../../flows/samples/report.ts';
import type { SampleDiff } from '../../../flows/samples/sample-diff.ts';
import { terminalLines } from '../../../lib/report/terminal.ts';
import { filtered, pipeline } from './diff-project.ts';
import { samplesProject, script, scriptWithName } from './samples-project.ts';

const orders = (count: number, more = '') =>
  `SELECT i AS ID, DATE '2026-01-01' + CAST(i % 5 AS INTEGER) AS DAY, CAST(i % 20 AS DECIMAL(10,2)) AS AMOUNT, CASE WHEN i % 4 = 0 THEN NULL ELSE 'note ' || i END AS NOTE${more} FROM range(${count}) AS t(i)`;

test('affected pipelines run on files that have the names of tables, and the counts show no values', async () => {
  using folder = samplesProject();
  // The case of names does not count where only one table or column has the name.
  await folder.sample({ 'STAGING_ORDERS.parquet': orders(100) });
  folder.write(pipeline, filtered(9));
  const diff = await folder.givenDiff();
  expect(diff.samples).toEqual([
    { table: 'staging_orders', files: ['STAGING_ORDERS.parquet'], rows: 100, remarks: [] },
  ]);
  expect(diff.pipelines).toEqual([{ pipeline, status: 'compared', replacedLoads: [] }]);
  expect(diff.tables).toEqual([
    {
      table: 'orders',
      kind: 'changed',
      component: 'Write Orders',
      at: { file: pipeline, line: 16, column: 5 },
      key: ['id'],
      keyFrom: 'found',
      rowsBefore: 100,
      rowsAfter: 50,
      added: 0,
      removed: 50,
      changed: 0,
      columns: [{ name: 'note', changed: 0, nullsBefore: 25, nullsAfter: 10 }],
      rows: [],
    },
  ]);
  const { code, stdout } = await folder.given('--exit-code', '--rows', '2');
  expect([code, stdout]).toEqual([1, expect.stringContaining('Data changes in 1 table: orders +0 −50 ~0.')]);
  expect(stdout).toMatch(
    /id +day +amount +note\n +- 0 +2026-01-01 +0 +null\n +- 1 +2026-01-02 +1 +note 1\n +and 48 more\n/,
  );
  expect(folder.left()).toEqual([]);
});

/** Tables that are equal, and tables that differ in every way. */
const before = script(
  'CREATE OR REPLACE TABLE T AS SELECT ID, V, ID * 2 AS W FROM S',
  'CREATE OR REPLACE VIEW W AS SELECT ID FROM T WHERE V > 5',
  'CREATE OR REPLACE TABLE K AS SELECT ID, V FROM S',
  'CREATE OR REPLACE TABLE F AS SELECT CAST(V AS FLOAT) AS V FROM S',
  'CREATE OR REPLACE TABLE C AS SELECT ID, V FROM S',
  'CREATE OR REPLACE TABLE OLD AS SELECT ID AS A FROM S WHERE ID = 1',
);
const after = script(
  'CREATE OR REPLACE TABLE T AS SELECT ID, V + CASE WHEN ID >= 8 THEN 1 ELSE 0 END AS V, ID * 2 AS W FROM S',
  'CREATE OR REPLACE VIEW W AS SELECT ID FROM T WHERE V > 5',
  'CREATE OR REPLACE TABLE K AS SELECT ID, V FROM S UNION ALL SELECT ID, V + 100 FROM S WHERE ID < 3',
  'CREATE OR REPLACE TABLE F AS SELECT CAST(V AS FLOAT) AS V FROM S UNION ALL SELECT 7',
  'CREATE OR REPLACE TABLE C AS SELECT ID, CAST(V AS VARCHAR) AS V, NULLIF(ID, 3) AS X FROM S',
  'CREATE OR REPLACE TABLE NEW AS SELECT ID AS A FROM S WHERE ID = 1',
);

test('tables and views are compared by a key that is found or given, or as a whole, with counts by column', async () => {
  using folder = samplesProject({ 'a.orch.yaml': before });
  await folder.sample({
    'S.parquet':
      'SELECT CAST(i AS DECIMAL(38,0)) AS ID, CAST(i AS DECIMAL(38,0)) AS V FROM range(10) AS t(i)',
  });
  folder.write('samples/samples.yaml', 'keys: { k: [id], Gone: [ID] }\nrun: [a]\n');
  folder.write('a.orch.yaml', after);
  const diff = await folder.givenDiff('--rows', '1');
  const tables = new Map(diff.tables.map((change) => [change.table, change]));
  const number = 'NUMBER(38,0)';
  expect([[...tables.keys()], diff.equalTables]).toEqual([['T', 'K', 'F', 'C', 'NEW', 'OLD'], 1]);
  expect(diff.unusedKeys).toEqual(['Gone']);
  expect(tables.get('T')).toMatchObject({
    key: ['ID'],
    keyFrom: 'found',
    added: 0,
    removed: 0,
    changed: 2,
    columns: [{ name: 'V', changed: 2, nullsBefore: 0, nullsAfter: 0 }],
    rows: [{ before: { ID: 8, V: 8 }, after: { ID: 8, V: 9 } }],
  });
  expect(tables.get('K')).toMatchObject({
    key: [],
    brokenKey: { columns: ['ID'], from: 'given', rowsBefore: 0, rowsAfter: 6 },
    added: 3,
    removed: 0,
    rows: [{ after: { ID: 0, V: 100 } }],
  });
  expect(tables.get('F')).toMatchObject({ key: [], added: 1, removed: 0, rows: [{ after: { V: 7 } }] });
  expect(tables.get('C')).toMatchObject({
    changed: 0,
    columns: [
      { name: 'V', before: number, after: 'VARCHAR', changed: 0, nullsBefore: 0, nullsAfter: 0 },
      { name: 'X', after: number, changed: 0, nullsAfter: 1 },
    ],
  });
  expect(tables.get('NEW')).toMatchObject({
    kind: 'created',
    added: 1,
    columns: [{ name: 'A', after: number }],
  });
  expect(tables.get('OLD')).toMatchObject({
    kind: 'removed',
    removed: 1,
    columns: [{ name: 'A', before: number }],
  });
  const lines = terminalLines(reportOfSamples(diff)).join('\n');
  expect(lines).toContain(
    '! ID was unique and is not any more: 0 rows shared their key before, 6 now; rows are compared as a whole',
  );
  expect(lines).toContain('~ column V: 2 rows changed; null in 0 rows');
});

test('a table that a component merges rows into is compared by the columns that the component compares', async () => {
  const merge = (inserts: string) => `type: transformation
version: "1.0"
pipeline:
  components:
    Changes: { type: table-input, parameters: { targetTable: C, columnNames: [K, V] } }
    Merge:
      type: table-update
      sources: [Changes]
      parameters:
        targetTable: T
        targetAlias: target
        sourceAlias: input
        joinExpression: [['"input"."K" = "target"."K"', Case]]
        whenMatched: [["true", Update]]
        updateMapping: [[V, V]]
        includeNotMatched: ${inserts}
        insertMapping: [[K, K], [V, V]]
`;
  using folder = samplesProject({ 'm.tran.yaml': merge('"Yes"') });
  await folder.sample({
    'C.parquet': "SELECT i AS K, 'new' AS V FROM range(5, 12) AS t(i)",
    'T.parquet': "SELECT 100 - i AS ID, i AS K, 'old' AS V FROM range(10) AS t(i)",
  });
  folder.write('m.tran.yaml', merge('"No"'));
  const { tables, samples } = await folder.givenDiff();
  expect(samples.map(({ table }) => table)).toEqual(['C', 'T']);
  expect(tables).toMatchObject([
    {
      table: 'T',
      key: ['K'],
      keyFrom: 'declared',
      rowsBefore: 12,
      rowsAfter: 10,
      removed: 2,
      added: 0,
      changed: 0,
    },
  ]);
});

describe('a sample', () => {
  test('that lacks a column is named with the component that reads it, and with the change if only one side does', async () => {
    using folder = samplesProject();
    await folder.sample({ 'staging_orders.parquet': 'SELECT 1 AS id, CURRENT_DATE AS day' });
    folder.write(
      pipeline,
      filtered(9).replace('[id, day, amount, note]', '[id, day, amount, note, country]'),
    );
    const { code, stderr } = await folder.given('--json');
    expect(code).toBe(2);
    const { stdout } = await folder.given('--json');
    const { error } = JSON.parse(stdout) as {
      error: { code: string; details: { problems: { message: string }[] } };
    };
    expect([stderr, error.code]).toEqual(['', 'sample-invalid']);
    expect(error.details.problems.map(({ message }) => message.replace(/\w{12}/, 'COMMIT'))).toEqual([
      'the sample lacks the column "amount", which daily/build-orders reads at line 5 ("Staged"); export it again with this column',
      'the sample lacks the column "note", which daily/build-orders reads at line 5 ("Staged"); export it again with this column',
      'the sample lacks the column "country", which daily/build-orders reads at line 5 ("Staged"); the base (HEAD, COMMIT) does not read it: was the sample exported before the change? Export it again',
    ]);
  });

  test('may have further columns and other types where the values fit; values that do not fit are counted, not shown', async () => {
    const schemas =
      'staging_orders: { id: NUMBER, day: DATE, amount: "NUMBER(10,2)", note: VARCHAR(20), gone: DATE }\n';
    using folder = samplesProject({
      'millrace.yaml': 'version: 1\nschemas: [schemas.yaml]\n',
      'schemas.yaml': schemas,
    });
    folder.write(pipeline, filtered(9));
    const sample = (day: string, note: string) =>
      folder.sample({
        'staging_orders.parquet': `SELECT 1 AS id, ${day} AS day, 10.5::DOUBLE AS amount, ${note} AS note, 1 AS more`,
      });
    await sample("'2026-01-02'", "'short'");
    expect((await folder.givenDiff()).samples[0]?.remarks).toEqual([
      { column: 'gone', what: 'missing', expected: 'DATE' },
      { column: 'day', what: 'other-type', expected: 'DATE', type: 'VARCHAR' },
      { column: 'amount', what: 'other-type', expected: 'NUMBER(10,2)', type: 'FLOAT' },
      { column: 'more', what: 'extra', type: 'NUMBER(38,0)' },
    ]);
    await sample("'SECRET1'", "'SECRET2 that is too long'");
    const { code, stderr } = await folder.given();
    expect(code).toBe(2);
    expect(stderr).toContain(
      'the column "day", which daily/build-orders reads at line 5 ("Staged"), must be DATE: 1 row has a value that does not fit',
    );
    expect(stderr).toContain('must be VARCHAR(20): 1 row');
    expect(stderr).not.toContain('SECRET');
  });

  test('is the rows of a load, which does not run; other components that need a mock are named', async () => {
    const load = (then: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Load Files] } }
    Load Files: { type: s3-load, parameters: { targetTable: staging_orders }, transitions: { success: [Next] } }
    Next: ${then}
    Build: { type: run-transformation, parameters: { transformationJob: daily/build-orders } }
`;
    const mail = '{ type: send-email, transitions: { success: [Build] } }';
    using folder = samplesProject({
      'load.orch.yaml': load('{ type: and, transitions: { unconditional: [Build] } }'),
    });
    await folder.sample({ 'staging_orders/1.parquet': orders(30), 'staging_orders/2.parquet': orders(10) });
    folder.write(pipeline, filtered(9));
    const diff = await folder.givenDiff();
    expect([diff.samples[0]?.files.length, diff.samples[0]?.rows, diff.tables[0]?.removed]).toEqual([
      2, 40, 30,
    ]);
    expect(diff.pipelines).toEqual([
      {
        pipeline: 'load.orch.yaml',
        status: 'compared',
        replacedLoads: [{ component: 'Load Files', at: { file: 'load.orch.yaml', line: 6, column: 5 } }],
      },
    ]);
    folder.write('load.orch.yaml', load(mail));
    expect((await folder.givenDiff()).pipelines).toMatchObject([
      {
        end: {
          before: { status: 'success' },
          after: {
            status: 'failure',
            component: 'Next',
            message: 'a component of the type send-email reaches outside of the warehouse',
          },
        },
      },
    ]);
  });
});

test('nothing runs without a change, without an affected reader, or for a wrong folder, file or option', async () => {
  using folder = samplesProject({ 'b.orch.yaml': script('CREATE TABLE B AS SELECT 1 AS A') });
  expect(await folder.given()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The folder samples does not exist.'),
  });
  await folder.sample({ 'staging_orders.parquet': orders(3) });
  expect((await folder.given()).stdout).toContain('No file of the project differs');
  folder.write('b.orch.yaml', script('CREATE TABLE B AS SELECT 2 AS A'));
  // A large sample that git does not ignore.
  folder.write('large.parquet', '');
  truncateSync(path.join(folder.repository.directory, 'large.parquet'), 65 * 2 ** 20);
  expect((await folder.given()).stdout).toContain(
    'No pipeline that the change affects reads a table that has a sample',
  );
  folder.write('samples/other.parquet', 'id\n1\n');
  folder.write('samples/samples.yaml', 'tables: { other.parquet: staging_orders, gone.parquet: x }\n');
  expect(await folder.given()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /samples.yaml:1:26 "other.parquet" and "staging_orders.parquet"|has no Parquet file "gone.parquet"/,
    ),
  });
  folder.write('samples/samples.yaml', 'run: [{ pipeline: b, variables: { none: 1 } }]\n');
  expect((await folder.given()).stderr).toContain('none');
  folder.write('samples/samples.yaml', 'run: [b]\n');
  expect((await folder.given()).stderr).toContain('it is not a Parquet file');
  for (const [args, message] of [
    [['diff', '--rows', '3'], '--rows has no effect without --given.'],
    [['diff', '--given', 'samples', '--filter', 'x'], '--filter has no effect with --given'],
    [['diff', '--given', 'samples', '--jobs', '2'], '--jobs has no effect with --given'],
    [['diff', '--given', 'samples', '--memory', '1KB'], 'from 200MB to 999GB'],
  ] as const)
    expect((await folder.text(...args.slice(1))).stderr).toContain(message);
  expect(folder.left()).toEqual([]);
});

test('a pipeline that fails stops only those that use its tables, and a renamed column is reported', async () => {
  const copy = (table: string, from: string, column = 'NAME') =>
    script(`CREATE OR REPLACE TABLE ${table} AS SELECT ID, NAME AS ${column}, 1 AS ONE FROM ${from}`);
  using folder = samplesProject({
    'a.orch.yaml': copy('T', 'S'),
    'b.orch.yaml': copy('U', 'T'),
    'c.orch.yaml': copy('V', 'U'),
    'd.orch.yaml': copy('W', 'S'),
  });
  await folder.sample({ 'S.parquet': "SELECT 1 AS ID, 'x' AS NAME UNION ALL SELECT 2, 'y'" });
  folder.write('samples/samples.yaml', 'run: [a, b, c, d]\n');
  folder.write('a.orch.yaml', script('CREATE OR REPLACE TABLE T AS SELECT CAST(NAME AS NUMBER) AS N FROM S'));
  folder.write('d.orch.yaml', copy('W', 'S', 'LABEL'));
  const { pipelines, tables } = await folder.givenDiff();
  const reason = 'it uses tables of a, which does not succeed on both sides';
  expect(pipelines).toMatchObject([
    { pipeline: 'a.orch.yaml', status: 'compared', end: { after: { status: 'failure' } } },
    { pipeline: 'b.orch.yaml', status: 'not-compared', reason },
    { pipeline: 'c.orch.yaml', status: 'not-compared', reason },
    { pipeline: 'd.orch.yaml', status: 'compared' },
  ]);
  expect(tables.map(({ table, columns }) => [table, columns])).toEqual([
    ['W', [{ name: 'LABEL', renamedFrom: 'NAME', changed: 0 }]],
  ]);
  expect((await folder.given()).stdout).toContain('~ column NAME is now LABEL, with the same values');
});

test('no value of a row is shown, also if it becomes the name of a column, or the reason of a failure', async () => {
  // The name of a table and of a column, from a row.
  const named = 'CREATE OR REPLACE TABLE "T_${one}" AS SELECT ID AS "${one}" FROM S';
  const cast = 'CREATE OR REPLACE VIEW V AS SELECT CAST(NAME AS NUMBER) AS N FROM S';
  const first = scriptWithName('CREATE OR REPLACE TABLE T AS SELECT ID, NAME FROM S');
  using folder = samplesProject({ 'a.orch.yaml': first });
  await folder.sample({ 'S.parquet': "SELECT 1 AS ID, 'SECRETVALUE' AS NAME" });
  folder.write(
    'a.orch.yaml',
    scriptWithName("CREATE OR REPLACE TABLE T AS SELECT ID, NAME || 'x' AS NAME FROM S", named, cast),
  );
  const { stdout } = await folder.given('--json');
  const { tables } = JSON.parse(stdout) as SampleDiff;
  expect(
    tables.map(({ table, unknown, columns }) => [table, unknown ?? columns.map(({ name }) => name)]),
  ).toEqual([
    ['T', ['NAME']],
    ['(a name from rows)', ['(a name from rows)']],
    ['V', 'the view cannot be read: a text is not a number'],
  ]);
  folder.write('a.orch.yaml', script('CREATE OR REPLACE TABLE T AS SELECT CAST(NAME AS NUMBER) AS N FROM S'));
  const failed = await folder.given();
  expect(failed.stdout).toContain('the pipeline fails in "Fill": a text is not a number');
  expect(stdout + failed.stdout + failed.stderr).not.toMatch(/secretvalue/i);
  expect(folder.left()).toEqual([]);
});
