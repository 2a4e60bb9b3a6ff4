import { expect, test } from 'vitest';
import { ValueError } from '../../../engine/duckdb/fill-table.ts';
import { openSmall, valueOf } from './open.ts';

const NUMBER = { name: 'NUMBER', precision: 38, scale: 0 } as const;

test('a cleared warehouse has no table, view, sequence or schema, and can be filled again', async () => {
  await using warehouse = await openSmall();
  const orders = { database: 'DB', schema: 'S', table: 'orders' };
  const other = { database: 'DB', schema: 'OTHER', table: 'Orders' };
  for (const round of [1, 2]) {
    const table = await warehouse.createTable(orders, [{ name: 'id', type: NUMBER }], [[round]]);
    await warehouse.createTable(other, [{ name: 'ID', type: NUMBER }], []);
    await warehouse.run(`CREATE VIEW "DB.OTHER"."v" AS SELECT * FROM ${table.sql}`);
    await warehouse.run('CREATE SEQUENCE "DB.S"."q"');
    expect((await warehouse.query(`SELECT * FROM ${table.sql}`, { maxRows: 9 })).rows).toEqual([[round]]);
    await warehouse.clear();
    expect(warehouse.catalog.list('DB', 'S')).toEqual([]);
    expect(warehouse.catalog.list('DB', 'OTHER')).toEqual([]);
  }
});

test('a cleared warehouse gives the random values of a new one', async () => {
  await using warehouse = await openSmall();
  const draw = () => valueOf(warehouse, 'SELECT uuid()');
  const first = await draw();
  expect(await draw()).not.toBe(first);
  await warehouse.clear();
  expect(await draw()).toBe(first);
});

test('an error about a value says its row and column', async () => {
  await using warehouse = await openSmall();
  const table = { database: 'DB', schema: 'S', table: 't' };
  const columns = [{ name: 'id', type: NUMBER }];
  const error = await warehouse.createTable(table, columns, [[1], ['x']]).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValueError);
  expect(error).toMatchObject({ row: 2, column: 'id' });
  const nested = await warehouse.createTable(table, columns, [[[1]]]).catch((reason: unknown) => reason);
  expect(nested).toMatchObject({ row: 1, column: 'id' });
});
