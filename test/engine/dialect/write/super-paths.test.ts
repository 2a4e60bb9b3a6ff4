import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_TWO');
  const values = [5, '5', true, [1, 'x'], { a: 1 }, null, 1.5, 'abc', 12_345_678_901];
  for (const [table, count] of [
    ['short', 6],
    ['long', 9],
  ] as const) {
    await warehouse.createTable(
      { database: 'db', schema: 's', table },
      [
        { name: 'id', type: { name: 'INTEGER' } },
        { name: 'v', type: { name: 'VARIANT' } },
      ],
      values.slice(0, count).map((n, index) => [index + 1, { n }]),
    );
  }
  await warehouse.refresh();
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

test.each([
  // A value of another type is not equal, and neither less nor greater.
  ["t.v.n = '5'", [2]],
  ["not t.v.n = '5'", [1, 3, 4, 5]],
  ["t.v.n in ('5', '6')", [2]],
  ["t.v.n not in ('5', '6')", [1, 3, 4, 5]],
  ["t.v.n in (select '5')", [2]],
  ["t.v.n > '10'", [2], 'id in (1, 2, 3)'],
  ["t.v.n between '5' and '6'", [2], 'id in (1, 2, 3)'],
  ["case t.v.n when '5' then true end", [2]],
  ["decode(t.v.n, '5', 1, 0) = 1", [2]],
  ["nullif(t.v.n, '5') is null", [2]],
  ['t.v.n = t.v.n::varchar', [2], 'id in (1, 2, 3)'],
  ['t.v.n = true', [3]],
  ['t.v.n < true', [], 'id in (1, 2, 3)'],
  ['t.v.n = \'[1,"x"]\'', []],
  ["t.v.n <> '6'", [2], 'id = 2'],
  // A cast that fails gives NULL.
  ['t.v.n::int = 5', [1, 2], 'id <> 3'],
  ['t.v.n::int is null', [4, 5, 6, 8, 9], 'id not in (3, 7)', 'long'],
  ['t.v.n::smallint is null', [4, 5, 6, 8, 9], 'id not in (3, 7)', 'long'],
  ['t.v.n::decimal(5, 0) is null', [4, 5, 6, 8, 9], 'id not in (3, 7)', 'long'],
  ['t.v.n::float is null', [4, 5, 6, 8], 'id <> 3', 'long'],
  ['t.v.n::boolean is null', [4, 5, 6, 8], 'id in (3, 4, 5, 6, 8)', 'long'],
  ['t.v.n::date is null', [3, 4, 5, 6, 8], 'id in (3, 4, 5, 6, 8)', 'long'],
])(
  'in kind 2, %s compares or casts a value of its own type',
  async (condition, ids, where = 'true', table = 'short') => {
    const sql = `select id from ${table} t where case when ${where} then ${condition} end order by id`;
    expect(await rows(sql)).toEqual(ids.map((id) => [id]));
  },
);

test.each([
  ["t.v.n <> '5'", 1, '<> of SUPER values of different types'],
  ['t.v.n <> true', 5, '<> of SUPER values of different types'],
  ['t.v.n = 5', 1, 'SUPER where a number is expected'],
  ["t.v.n = date '2024-01-05'", 1, 'a comparison of SUPER with DATE'],
  ['t.v.n::int', 7, "the value '1.5' of a SUPER as INTEGER"],
  ['t.v.n::decimal(3, 0)', 7, "the value '1.5' of a SUPER as DECIMAL(3,0)"],
  ['t.v.n::int', 3, "the value 'true' of a SUPER as INTEGER"],
  ['t.v.n::date', 1, "the value '5' of a SUPER as DATE"],
  ['t.v.n::varchar(2)', 8, 'a SUPER value that is longer than VARCHAR(2)'],
  ['t.v.n::varchar', 4, 'a list or an object of a SUPER as VARCHAR'],
])('in kind 2, %s of the row %i is refused', async (value, id, reason) => {
  const sql = `select ${value} as x from long t where id = ${id}`;
  await expect(rows(sql)).rejects.toThrow(`Millrace does not support ${reason}`);
});
