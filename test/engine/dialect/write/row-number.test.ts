import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from './orders.ts';

/** DuckDB rewrites ROW_NUMBER with a filter into an aggregate (top_n_window_elimination), with wrong rows. */
describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s: a filter on ROW_NUMBER', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
    await runScript(
      'create table n (id int, g int); insert into n values (1, 1), (2, 1), (3, 2)',
      kind,
      warehouse,
    );
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  const numbered = (order: string) => `row_number() over (partition by g order by ${order})`;
  test.each([
    ['select id v from n n where id > 9 qualify row_number() over (order by id) = 1', '[]'],
    ['select id v from n n where id > 9 qualify row_number() over (order by id) <= 1', '[]'],
    [
      'select id v from (select id, row_number() over (order by id) r from n where id > 9) q where r = 1',
      '[]',
    ],
    [
      'select count(*) from (select id, row_number() over (order by id) r from n where id > 9) q where r = 1',
      '[[0]]',
    ],
    [`select id, g from n n where true qualify ${numbered('nullif(id, 3)')} = 1 order by g`, '[[1,1],[3,2]]'],
    [
      `select id, g from n n where true qualify ${numbered('nullif(id, 3)')} <= 2 order by g, id`,
      '[[1,1],[2,1],[3,2]]',
    ],
    [
      `select id, g from n n where true qualify ${numbered('case when id < 3 then id end')} = 1 order by g`,
      '[[1,1],[3,2]]',
    ],
    [
      `select id from (select id, g, ${numbered('decode(id, 1, 1, 2, 2)')} r from n) q where r = 1 order by g`,
      '[[1],[3]]',
    ],
    [
      `select a.id from n a join n b on a.g = b.g where a.id = 1 qualify row_number() over (order by b.id desc) <= 2`,
      '[[1],[1]]',
    ],
  ])('%s', async (sql, expected) => {
    expect(await rowsOf(sql, kind, warehouse)).toBe(expected);
  });

  test('INSERT adds no row where there is none', async () => {
    const none = 'select id, g from n n where id > 9 qualify row_number() over (order by id) = 1';
    await runScript(`create table copy_of_n (id int, g int); insert into copy_of_n ${none}`, kind, warehouse);
    expect(await rowsOf('select count(*) from copy_of_n', kind, warehouse)).toBe('[[0]]');
  });
});

test('WAREHOUSE_ONE: ROW_NUMBER by NULL, and by a path of another type', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const run = async (order: string) =>
    await rowsOf(
      `select id, name from orders qualify row_number() over (partition by id order by ${order}) = 1 order by id`,
      'WAREHOUSE_ONE',
      warehouse,
    );
  for (const order of ['null', 'null::int', 'nullif(1, 1)', 'doc:a.b::string', 'try_to_date(name)'])
    expect(await run(order)).toBe('[[1,"a"],[2,null],[3,"5"]]');
});

test('WAREHOUSE_ONE: windows over random numbers see the same rows', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const some = `select 1 g, column1 i from (values ${Array.from({ length: 60 }, (_, i) => `(${i})`).join(', ')})
    where random() > 0`;
  const sql = `select count(*) from (select s, sum(i) over () t from (select i, sum(i) over (partition by g) s from (${some})))
    where s <> t`;
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe('[[0]]');
});
