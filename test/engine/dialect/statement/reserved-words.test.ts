import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

const refused = {
  WAREHOUSE_ONE: [
    'create table x (row int)',
    'create table x (id int, start date)',
    'create table x (increment int)',
    'create table x (select int)',
    'create table x (current_date date)',
    'create table order (id int)',
    'create view x (group) as select 1 v',
    'create table x as select 1 as order',
    'create table y (id int); alter table y add column rows int',
    'create table z (id int); alter table z rename column id to of',
    'select id as row from orders',
    'select 1 as current_timestamp',
    'select id from orders following',
    'select id from orders as full',
    'select o.order from orders o',
    'select start from orders',
    'select cast from orders',
    'with sample as (select 1 v) select v from sample',
    'insert into orders (trigger) select 1',
    'update orders set table = 1',
  ],
  WAREHOUSE_TWO: [
    'create table x (tag varchar(5))',
    'create table x (open int)',
    'create table x (id int, timestamp timestamp)',
    'create table x (user varchar(9))',
    'create table order (id int)',
    'create view x (percent) as select 1 v',
    'create table y (id int); alter table y add column raw int',
    'create table z (id int); alter table z rename column id to snapshot',
    'select id tag from orders',
    'select id from orders tag',
    'select id from orders as open',
    'select user from orders',
    'select open.id from orders',
    'with new as (select 1 v) select v from new',
    'insert into orders (language_of, oid) select 1, 2',
    'update orders set off = 1',
  ],
} as const;

const taken = {
  WAREHOUSE_ONE: [
    'create table a1 ("row" int, account int, left int, true int, desc int, user int, tag int, timestamp timestamp)',
    'select id as left, id as date, id as timestamp, id as value, id as "order", id end from orders',
    'select o.id from orders "row" join orders o on o.id = "row".id',
    'select doc:order.from, doc:start::int from orders',
    'select id name, id type, id key, id year, id month, id rank, id status from orders user',
  ],
  WAREHOUSE_TWO: [
    'create table a1 ("tag" int encode raw, name varchar(9) encode lzo, date date, value int, type int, year int)',
    'select id as tag, id as order, getdate() as timestamp, id "open" from orders',
    'select q.tag, q.timestamp from (select id as tag, id as timestamp from orders) q',
    'select id name, id status, id level, id row from orders o',
    'create table a2 (id int) diststyle all',
  ],
} as const;

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s: reserved words', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each(refused[kind])('%s is refused', async (sql) => {
    await expect(runScript(sql, kind, warehouse)).rejects.toMatchObject({
      name: 'Refusal',
      construct: expect.stringMatching(/^the reserved word [A-Z_]+ as a name$/),
      hint: expect.stringMatching(/^write it in quotation marks: "\w+"$/),
    });
  });

  test.each(taken[kind])('%s runs', async (sql) => {
    await expect(runScript(sql, kind, warehouse)).resolves.toBeUndefined();
  });

  test('the quoted word of the hint is the name', async () => {
    const word = kind === 'WAREHOUSE_ONE' ? 'ROW' : 'tag';
    const sql = `create table hinted ("${word}" int); insert into hinted values (7)`;
    await runScript(sql, kind, warehouse);
    expect(await rowsOf(`select h."${word}" from hinted h`, kind, warehouse)).toBe('[[7]]');
  });
});
