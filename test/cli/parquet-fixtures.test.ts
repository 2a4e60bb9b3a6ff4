import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parquetFiles } from '../engine/tables/parquet.ts';
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
    'a.test.yaml:13:38 the file "large.parquet" has 33554433 bytes; at most 32 MiB are read',
  );
});
