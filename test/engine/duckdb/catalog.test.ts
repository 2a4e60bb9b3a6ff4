import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SqlType, WarehouseKind } from '../../../engine/core/sql-type.ts';
import type { Value, Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openSmall, valueOf } from './open.ts';

const name = (table: string) => ({ database: 'DB', schema: 'S', table });
const number = { name: 'NUMBER', precision: 38, scale: 0 } as const;
const short = { name: 'VARCHAR', length: 5 } as const;

const types: readonly SqlType[] = [
  number,
  { name: 'NUMBER', precision: 10, scale: 2 },
  { name: 'SMALLINT' },
  { name: 'INTEGER' },
  { name: 'BIGINT' },
  { name: 'FLOAT' },
  { name: 'VARCHAR', length: undefined },
  short,
  { name: 'BOOLEAN' },
  { name: 'DATE' },
  { name: 'TIME' },
  { name: 'TIMESTAMP' },
  { name: 'TIMESTAMP_TZ' },
  { name: 'BINARY' },
  { name: 'VARIANT' },
  { name: 'NULL' },
];

/** Makes the warehouse read its whole catalog: it does not know what an ALTER has changed. */
async function readAgain(warehouse: Warehouse): Promise<void> {
  await warehouse.createTable(name('other'), [{ name: 'a', type: number }], []);
  await warehouse.run('ALTER TABLE "DB.S"."other" ADD COLUMN b INTEGER');
  await warehouse.refresh();
  expect(warehouse.catalog.find(name('other'))?.columns).toHaveLength(2);
}

describe.each<WarehouseKind>(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'])('in %s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openSmall({ kind });
  });
  beforeEach(() => warehouse.clear());
  afterAll(() => warehouse[Symbol.asyncDispose]());

  test('a created table is in the catalog as a later read of the catalog finds it', async () => {
    const columns = types.map((type, index) => ({ name: `c "${index}"`, type }));
    const created = await warehouse.createTable(name('a."b'), columns, []);
    expect(warehouse.catalog.find(name('a."b'))).toEqual(created);

    await readAgain(warehouse);
    expect(warehouse.catalog.find(name('a."b'))).toEqual(created);
  });

  test('a table of a query is in the catalog as a later read of the catalog finds it', async () => {
    const columns = types.map((type, index) => ({ name: `c${index}`, type }));
    await warehouse.createTable(name('source'), columns, []);
    await warehouse.run('CREATE OR REPLACE TABLE "DB.S"."of a query" AS SELECT * FROM "DB.S"."source"');
    await warehouse.refresh();
    const table = warehouse.catalog.find(name('of a query'));
    expect(table).toMatchObject({ kind: 'table', table: 'of a query' });

    await readAgain(warehouse);
    expect(warehouse.catalog.find(name('of a query'))).toEqual(table);
  });

  const plain: readonly (readonly [type: SqlType, values: readonly Value[]])[] = [
    [number, [0, 7, -12, '12345678901234567890', null]],
    [{ name: 'NUMBER', precision: 10, scale: 2 }, ['1.5', '-0.05', 3, '1234567.89', null]],
    [{ name: 'FLOAT' }, [0, 1.5, -2, '0.1', null]],
    [{ name: 'BIGINT' }, [1, '-999999999999999999']],
    [{ name: 'BOOLEAN' }, [true, false, 'true', null]],
    [{ name: 'DATE' }, ['2026-01-02', '0001-12-28', '9999-01-01', null]],
    [{ name: 'TIME' }, ['00:00:00', '23:59:59.123456', '01:02:03.1']],
    [{ name: 'TIMESTAMP' }, ['2026-01-02 03:04:05', '0001-01-01 00:00:00.000001', null]],
    [short, ['', 'abcde', 'é', '😀', null]],
  ];

  test.each(plain)('%o: rows of a new table and added rows are the same', async (type, values) => {
    const columns = [{ name: 'v', type }];
    const rows = values.map((value) => [value]);
    const fast = await warehouse.createTable(name('fast'), columns, rows);
    const slow = await warehouse.createTable(name('slow'), columns, []);
    await warehouse.insertRows(slow, columns, rows);
    const rowsOf = async (table: { sql: string }) =>
      (await warehouse.query(`SELECT v, v::VARCHAR FROM ${table.sql}`, { maxRows: 9 })).rows;
    expect(await rowsOf(fast)).toEqual(await rowsOf(slow));
    expect(await rowsOf(fast)).toHaveLength(values.length);
  });
});

describe('after an error', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openSmall();
  });
  beforeEach(() => warehouse.clear());
  afterAll(() => warehouse[Symbol.asyncDispose]());

  test('a table whose replacement failed keeps the lengths of its texts', async () => {
    const before = await warehouse.createTable(name('t'), [{ name: 'a', type: short }], [['x']]);
    const replacement = `CREATE OR REPLACE TABLE ${before.sql} AS SELECT error('no') AS a`;
    await expect(warehouse.run(replacement)).rejects.toThrow('no');
    await warehouse.refresh();
    expect(warehouse.catalog.find(name('t'))).toEqual(before);
  });

  test('a schema and a table of a transaction that failed can be created again', async () => {
    const failing = warehouse.transaction(async () => {
      await warehouse.createSchema('DB', 'NEW');
      await warehouse.run('CREATE OR REPLACE TABLE "DB.NEW"."t" AS SELECT 1 AS a');
      await warehouse.refresh();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(warehouse.catalog.all()).toEqual([]);
    await warehouse.createSchema('DB', 'NEW');
    await warehouse.run('CREATE TABLE "DB.NEW"."t" (b INTEGER)');
    await warehouse.refresh();
    expect(warehouse.catalog.list('DB', 'NEW')).toMatchObject([{ table: 't', columns: [{ name: 'b' }] }]);
  });

  test('a schema that a statement dropped can be created again', async () => {
    await warehouse.createSchema('DB', 'S');
    await warehouse.run('DROP SCHEMA "DB.S" CASCADE');
    await warehouse.createTable(name('t'), [{ name: 'a', type: number }], [[1]]);
    expect(await valueOf(warehouse, 'SELECT a FROM "DB.S"."t"')).toBe(1);
  });

  test('a description of a definition defines nothing', async () => {
    await warehouse.createSchema('DB', 'S');
    await warehouse.describe('CREATE OR REPLACE TABLE "DB.S"."t" AS SELECT 1 AS a');
    await warehouse.refresh();
    expect(warehouse.catalog.all()).toEqual([]);
  });
});
