import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parquetFiles } from '../../engine/tables/parquet.ts';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

let orders: Buffer;

beforeAll(async () => {
  [orders = Buffer.of()] = await parquetFiles(
    "SELECT 1 AS id, DATE '2026-01-02' AS day, 10.50::DECIMAL(10,2) AS amount, NULL::VARCHAR AS note UNION ALL SELECT 2, DATE '2026-01-03', 0.05, 'x'",
  );
});

const pipeline = 'pipeline: daily/build-orders\ntests:\n';
const files = { 'daily/build-orders.tran.yaml': copyPipeline };

test('a Parquet file gives the tables before a run, the output of a mock and the expected rows', async () => {
  using folder = testFolder({
    ...files,
    'daily/load.orch.yaml': loadPipeline,
    'daily/load.test.yaml': `pipeline: daily/load
tests:
  - name: adds the rows of the mock
    mock: { Load Files: { tables: { staging_orders: { file: "rows [1]*.parquet" } } } }
    expect: { tables: { orders: { file: "rows [1]*.parquet", ordered: true } } }
`,
    'daily/build-orders.test.yaml': `${pipeline}  - name: copies the given rows
    given: { staging_orders: { file: "rows [1]*.parquet" } }
    expect:
      tables:
        orders:
          rows:
            - { id: 1, day: '2026-01-02', amount: 10.5, note: null }
            - { id: 2, day: '2026-01-03', amount: 0.05, note: x }
  - name: takes the output of a mock
    mock: { Staged: { output: { file: "rows [1]*.parquet" } } }
    expect: { tables: { orders: { file: "rows [1]*.parquet" } } }
  - name: converts to the declared types
    given: { staging_orders: { columns: { id: VARCHAR, day: TIMESTAMP }, file: "rows [1]*.parquet" } }
    expect: { tables: { orders: { rows: [{ id: '1', day: '2026-01-02 00:00:00' }, { id: '2', day: '2026-01-03' }] } } }
  - name: finds other rows
    given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR } } }
    expect: { tables: { orders: { file: "rows [1]*.parquet" } } }
`,
  });
  // A name that is a pattern too.
  writeFileSync(path.join(folder.directory, 'daily/rows [1]*.parquet'), orders);
  const { tests } = await folder.report();
  expect(tests.map(({ name, status }) => [name, status])).toEqual([
    ['copies the given rows', 'passed'],
    ['takes the output of a mock', 'passed'],
    ['converts to the declared types', 'passed'],
    ['finds other rows', 'failed'],
    ['adds the rows of the mock', 'passed'],
  ]);
  expect(tests[3]?.differences).toHaveLength(2);
});

test('a fixture outside the project, behind a link or too large is a problem of the test file', async () => {
  const given = (name: string, file: string) =>
    `  - name: ${name}\n    given: { staging_orders: { file: ${file} } }\n    expect: { ran: [Staged] }\n`;
  using outside = testFolder();
  using folder = testFolder({
    ...files,
    'a.test.yaml': `${pipeline}${given('above', `../${path.basename(outside.directory)}/rows.parquet`)}${given('link', 'link.parquet')}${given('folder', 'linked/rows.parquet')}${given('large', 'large.parquet')}`,
  });
  writeFileSync(path.join(outside.directory, 'rows.parquet'), orders);
  symlinkSync(path.join(outside.directory, 'rows.parquet'), path.join(folder.directory, 'link.parquet'));
  symlinkSync(outside.directory, path.join(folder.directory, 'linked'));
  writeFileSync(path.join(folder.directory, 'large.parquet'), Buffer.alloc(32 * 1024 ** 2 + 1));
  const { code, stderr } = await folder.run();
  expect(code).toBe(2);
  expect(stderr).toContain(
    `a.test.yaml:4:38 the file "../${path.basename(outside.directory)}/rows.parquet" is outside of the project`,
  );
  expect(stderr).toContain('a.test.yaml:7:38 the file "link.parquet" does not exist in the project');
  expect(stderr).toContain('a.test.yaml:10:38 the file "linked/rows.parquet" does not exist in the project');
  expect(stderr).toContain(
    'a.test.yaml:13:38 the file "large.parquet" has 33554433 bytes; the limit is 32 MiB',
  );
});

/** The problems and false expectations of a test that copies the rows of a Parquet file. */
async function messagesOf(content: Buffer, expected: string, columns = '') {
  using folder = testFolder({
    'p.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Make] } }
    Make: { type: sql-executor, parameters: { sqlScript: 'CREATE TABLE "out" AS SELECT * FROM "inp"' } }
`,
    'p.test.yaml': `pipeline: p\ntests:\n  - name: t\n    given: { inp: { ${columns}file: rows.parquet } }\n    expect: { tables: { out: ${expected} } }\n`,
    'rows.parquet': content,
  });
  const { stdout } = await folder.run('--format', 'json');
  const report = JSON.parse(stdout) as Pick<Awaited<ReturnType<typeof folder.report>>, 'tests' | 'problems'>;
  const { problems = [], tests } = report;
  return [...problems, ...tests.flatMap(({ differences }) => differences)].map(({ message }) => message);
}

test('numbers inside of the lists and maps of a Parquet file are numbers', async () => {
  const [nested = Buffer.of(), long = Buffer.of()] = await parquetFiles(
    "SELECT [1.50::DECIMAL(4,2), NULL] AS l, MAP {'k': 2.50::DECIMAL(4,2)} AS m, {'a': [0.5::DECIMAL(2,1)], 'b': DATE '2024-01-05'} AS s",
    'SELECT [0.1234567890123456789::DECIMAL(30,19)] AS l',
  );
  const expected = '{ rows: [{ l: [1.5, null], m: { k: 2.5 }, s: { a: [0.5], b: 2024-01-05 } }] }';
  expect(await messagesOf(nested, expected)).toEqual([]);
  expect(await messagesOf(long, '{ count: 1 }')).toEqual([
    expect.stringContaining(
      'semi-structured data cannot store the number "0.1234567890123456789" exactly (column "l")',
    ),
  ]);
});

test('a type of a Parquet file that the engine does not have needs another one in `columns`', async () => {
  const [times = Buffer.of()] = await parquetFiles('SELECT INTERVAL 1 DAY AS d, 1 AS id');
  expect(await messagesOf(times, '{ count: 1 }')).toEqual([
    'the column "d" of the file has the type INTERVAL, which the engine does not support: declare another type in `columns`',
  ]);
  expect(await messagesOf(times, "{ rows: [{ d: '1 day', id: 1 }] }", 'columns: { d: VARCHAR }, ')).toEqual(
    [],
  );
});

test('a Parquet file with two columns of one name is refused, not read with another name', async () => {
  const [written = Buffer.of()] = await parquetFiles('SELECT 1 AS "id", 2 AS "IX"');
  const renamed = (name: string) => Buffer.from(written.toString('latin1').replaceAll('IX', name), 'latin1');
  expect(await messagesOf(renamed('ID'), '{ count: 1 }')).toEqual([
    'the file "rows.parquet" has the columns "id" and "ID", which differ only in upper and lower case',
  ]);
  expect(await messagesOf(renamed('id'), '{ count: 1 }')).toEqual([
    'the file "rows.parquet" has two columns with the name "id"',
  ]);
});
