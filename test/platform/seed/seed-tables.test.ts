import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWarehouse, type Warehouse } from '../../../engine/index.ts';
import { readSeed } from '../../../platform/index.ts';
import { seedSchema } from '../../../platform/seed/seed-schema.ts';
import { plantTables } from '../../../platform/world/plant-tables.ts';
import { parquetFiles } from '../../engine/tables/parquet.ts';

const outside = mkdtempSync(path.join(tmpdir(), 'seed-tables-'));
const folder = path.join(outside, 'seed');
let warehouse: Warehouse;

beforeAll(async () => {
  const [bytes = Buffer.of()] = await parquetFiles("SELECT 1 AS id, DATE '2026-01-02' AS day");
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'days.parquet'), bytes);
  writeFileSync(path.join(folder, 'orders.csv'), 'id,amount,code\n1,10.50,007\n2,,x\n');
  writeFileSync(path.join(folder, 'broken.csv'), 'id\n1,2\n');
  writeFileSync(path.join(folder, 'orders.txt'), 'id\n1\n');
  writeFileSync(path.join(outside, 'secret.csv'), 'id\n1\n');
  symlinkSync(path.join(outside, 'secret.csv'), path.join(folder, 'link.csv'));
  warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '200MB' });
});
beforeEach(async () => {
  await warehouse.clear();
  await warehouse.run('DROP TABLE IF EXISTS main.millrace_planted');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
  rmSync(outside, { recursive: true, force: true });
});

function plant(text: string): Promise<void> {
  const { tables } = seedSchema.parse(readSeed(text, { file: 'seed.yaml', folder }));
  const defaults = { database: 'DB', schema: 'S' };
  return plantTables(warehouse, tables, {
    project: 'p',
    environment: 'dev',
    kind: 'WAREHOUSE_ONE',
    defaults,
  });
}

const failure = (text: string) =>
  plant(text).then(
    () => undefined,
    (error: unknown) => error,
  );

test('tables of a seed take rows and types from files, as tests do, by name or in a list', async () => {
  await plant(
    'tables:\n  orders: { file: orders.csv }\n  days: { file: days.parquet }\n  some: { rows: [{ a: 1 }] }\n',
  );
  const rows = async (table: string) =>
    (await warehouse.query(`SELECT * FROM "DB.S"."${table}"`, { maxRows: 9 })).rows;
  expect(await rows('orders')).toEqual([
    [1, '10.50', '007'],
    [2, null, 'x'],
  ]);
  expect(warehouse.catalog.find({ database: 'DB', schema: 'S', table: 'days' })?.columns).toEqual([
    { name: 'id', type: { name: 'NUMBER', precision: 38, scale: 0 } },
    { name: 'day', type: { name: 'DATE' } },
  ]);
  expect(await rows('days')).toEqual([[1, '2026-01-02']]);
  expect(await rows('some')).toEqual([[1]]);
});

test('a list of tables may name files, with declared types', async () => {
  await plant(
    'tables:\n  - { name: orders, file: orders.csv, columns: { amount: "NUMBER(12,2)", id: VARCHAR } }\n',
  );
  expect(warehouse.catalog.all()).toMatchObject([
    {
      table: 'orders',
      columns: [{ name: 'amount' }, { name: 'id', type: { name: 'VARCHAR' } }, { name: 'code' }],
    },
  ]);
});

test.each([
  ['tables: { orders: { file: none.csv } }', 'seed.yaml', 1, 'does not exist in the folder of the seed'],
  ['tables: { orders: { file: ../secret.csv } }', 'seed.yaml', 1, 'does not exist in the folder of the seed'],
  ['tables: { orders: { file: link.csv } }', 'seed.yaml', 1, 'does not exist in the folder of the seed'],
  ['tables:\n  orders: { file: orders.txt }', 'seed.yaml', 2, 'must end in .csv, .json or .parquet'],
  [
    'tables:\n  orders: { file: broken.csv }',
    'broken.csv',
    2,
    'this row has 2 fields, but the header has 1: add or remove fields',
  ],
  ['tables:\n  a: { rows: [] }\n  b: { file: orders.csv, rows: [{ id: 1 }] }', 'seed.yaml', 3, 'not both'],
  ['tables:\n  a: { rows: [] }\n  b: { fil: orders.csv }', 'seed.yaml', 3, 'fil is not a known field'],
  [
    'tables:\n  a:\n    columns: { day: DATE }\n    rows:\n      - { day: 2024-01-05 }\n      - { day: 2024-01-05zz }',
    'seed.yaml',
    6,
    'row 2: "2024-01-05zz" is not a DATE, in column "day": write YYYY-MM-DD',
  ],
  [
    'tables:\n  - { name: a, columns: { n: NUMBER },\n      rows: [{ n: 7_1 }] }',
    'seed.yaml',
    3,
    '"7_1" is not a NUMBER(38,0)',
  ],
  [
    'tables:\n  a: { rows: [{ n: 12345678901234567890 }] }',
    'seed.yaml',
    2,
    'has more digits than a seed keeps: write it in quotes',
  ],
])('a wrong table is an error with file, line and column: %s', async (text, file, line, message) => {
  expect(() => readSeed(text, { file: 'seed.yaml', folder })).toThrow(message);
  expect(
    await Promise.resolve()
      .then(() => plant(text))
      .catch((error: unknown) => error),
  ).toMatchObject({
    code: 'config-invalid',
    where: { file, line },
  });
});

test('a value that does not fit its type names its place in the file', async () => {
  expect(await failure('tables: { orders: { file: orders.csv, columns: { code: NUMBER } } }')).toMatchObject({
    message: expect.stringContaining('orders.csv:3:4: row 2: "x" is not a NUMBER(38,0)') as unknown,
  });
});

test('a row in the seed with a column that `columns` does not list is an error, not lost', async () => {
  const seed = 'tables: { orders: { columns: { id: NUMBER }, rows: [{ id: 1, name: a }] } }';
  expect(await failure(seed)).toMatchObject({
    message: expect.stringContaining('a row has the column "name", which `columns` does not list') as unknown,
  });
});
