import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_TWO');
});
afterAll(() => warehouse[Symbol.asyncDispose]());

const rows = async (sql: string): Promise<unknown> =>
  JSON.parse(await rowsOf(sql, 'WAREHOUSE_TWO', warehouse)) as unknown;

test.each([
  ['doc.a.b', 'x'],
  ['o.doc.a.b', 'x'],
  ['DOC.A."b"', 'x'],
  ['doc.a.k[1]', 2],
  ['o.doc.a.k[0]::int + 1', 2],
  ['doc.a.k[5]', null],
  ['doc.nothing.at.all', null],
  ["doc.a.b = 'x'", true],
  ['doc.a.b::varchar', 'x'],
])('in kind 2, %s reads a part of a semi-structured column', async (written, value) => {
  expect(await rows(`select ${written} as x from orders o where id = 1`)).toEqual([[value]]);
});

test('a path in a condition and in a group', async () => {
  expect(
    await rows('select o.doc.a.b as b, count(*) from orders o where doc.a.b is not null group by o.doc.a.b'),
  ).toEqual([['x', 1]]);
});

test('a column of a table goes before a path, and a path into another type is an error', async () => {
  expect(await rows('select doc.id from orders doc where id = 1')).toEqual([[1]]);
  await expect(rows('select name.a from orders')).rejects.toThrow(
    'a path into a value of type VARCHAR: the column "name"',
  );
});

test('kind 2 reads the keys of a path in lower case, also after an index', async () => {
  await warehouse.createTable(
    { database: 'db', schema: 's', table: 'keys' },
    [{ name: 'v', type: { name: 'VARIANT' } }],
    [[{ Name: 'upper', list: [{ Name: 'upper', name: 'lower' }] }]],
  );
  expect(await rows('select v.Name as a, v.list[0].Name as b from keys')).toEqual([[null, 'lower']]);
});
