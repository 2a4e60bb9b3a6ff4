import { expect, test } from 'vitest';
import { FileProblems } from '../../../engine/tables/file-problem.ts';
import { readParquet } from '../../../engine/tables/read-parquet.ts';
import { atOnce } from '../../../lib/core/ports/long-work.ts';
import { tableOfRows } from '../../../engine/tables/table-columns.ts';
import { parquetFiles } from './parquet.ts';

const name = { text: 'rows.parquet', place: { file: 'a.test.yaml', line: 7, column: 9 } };

async function tableOf(bytes: Uint8Array, kind: 'WAREHOUSE_ONE' | 'WAREHOUSE_TWO') {
  return atOnce(tableOfRows({ name, columns: [], content: await readParquet(bytes, name) }, kind));
}

async function problemOf(bytes: Uint8Array) {
  const error = await readParquet(bytes, name).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FileProblems);
  return error instanceof FileProblems ? error.problems : [];
}

const values = `SELECT 1::INTEGER AS "Id", 10.50::DECIMAL(10,2) AS amount, 12345678901234567890::DECIMAL(38,0) AS big,
  DATE '2026-01-02' AS day, TIMESTAMP '2026-01-02 03:04:05.5' AS at, TIMESTAMPTZ '2026-01-02 03:04:05+02' AS moment,
  TIMESTAMP_NS '2026-01-02 03:04:05.25' AS exact, [1, NULL] AS list, {'a': 1, 'b': 'x'} AS tree,
  '{"k":[1.5]}'::JSON AS json, '007' AS code, true AS flag, '\\xAA'::BLOB AS bytes, 0.5::DOUBLE AS half, 'NaN'::DOUBLE AS nan
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL`;

test('a Parquet file gives its types and its values, with all digits', async () => {
  const [bytes = Buffer.of()] = await parquetFiles(values);
  const { columns, rows } = await tableOf(bytes, 'WAREHOUSE_ONE');
  const number = (precision: number, scale: number) => ({ name: 'NUMBER', precision, scale });
  expect(Object.fromEntries(columns.map((column) => [column.name, column.type]))).toEqual({
    Id: number(38, 0),
    amount: number(10, 2),
    big: number(38, 0),
    day: { name: 'DATE' },
    at: { name: 'TIMESTAMP' },
    moment: { name: 'TIMESTAMP_TZ' },
    exact: { name: 'TIMESTAMP' },
    list: { name: 'VARIANT' },
    tree: { name: 'VARIANT' },
    json: { name: 'VARIANT' },
    code: { name: 'VARCHAR', length: undefined },
    flag: { name: 'BOOLEAN' },
    bytes: { name: 'BINARY' },
    half: { name: 'FLOAT' },
    nan: { name: 'FLOAT' },
  });
  expect(rows[0]).toEqual([
    '1',
    '10.50',
    '12345678901234567890',
    '2026-01-02',
    '2026-01-02 03:04:05.5',
    '2026-01-02 01:04:05+00:00',
    '2026-01-02 03:04:05.25',
    [1, null],
    { a: 1, b: 'x' },
    { k: [1.5] },
    '007',
    true,
    'AA',
    '0.5',
    'NaN',
  ]);
  expect(rows[1]).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    '',
    null,
    null,
    null,
    null,
  ]);
});

test('whole numbers of a Parquet file keep their type in a warehouse of kind 2, and names are in lower case', async () => {
  const [bytes = Buffer.of()] = await parquetFiles('SELECT 1::INTEGER AS "Id", 2::SMALLINT AS "S"');
  const { columns } = await tableOf(bytes, 'WAREHOUSE_TWO');
  expect(columns).toEqual([
    { name: 'id', type: { name: 'INTEGER' } },
    { name: 's', type: { name: 'SMALLINT' } },
  ]);
});

test('a Parquet file that cannot be read is a problem of the file that names it', async () => {
  const [exact = Buffer.of(), rows = Buffer.of(), wide = Buffer.of(), good = Buffer.of()] =
    await parquetFiles(
      "SELECT TIMESTAMP_NS '2026-01-02 03:04:05.123456789' AS t",
      'SELECT 1 AS a FROM range(100001)',
      `SELECT ${Array.from({ length: 21 }, (_, index) => `1 AS c${index}`).join(', ')} FROM range(100000)`,
      'SELECT 1 AS a',
    );
  const damaged = Buffer.concat([good.subarray(0, good.length - 40), Buffer.alloc(40)]);
  const files: readonly (readonly [Uint8Array, string])[] = [
    [Buffer.from('id\n1\n'), 'is not a Parquet file'],
    [damaged, 'cannot be read: it is damaged, or reading it needs too much memory'],
    [exact, 'contains a time with nanoseconds in row 1, column "t": the engine keeps microseconds only'],
    [rows, 'has more than 100000 rows, which is the limit'],
    [wide, 'has more than 2000000 values, which is the limit'],
  ];
  for (const [bytes, message] of files) {
    expect(await problemOf(bytes)).toEqual([
      { ...name.place, message: `the file "rows.parquet" ${message}` },
    ]);
  }
});
