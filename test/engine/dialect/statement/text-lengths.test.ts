import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contextOf, openOrders, runScript } from '../write/orders.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { describeType } from '../../../../engine/duckdb/catalog/column-types.ts';

let warehouse: Warehouse;
let two: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
  two = await openOrders('WAREHOUSE_TWO');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
});

/** The types of the columns of a table or view of the first kind. */
function typesOf(table: string): string {
  const entry = contextOf('WAREHOUSE_ONE', warehouse).catalog.find({ database: 'DB', schema: 'S', table });
  return (entry?.columns ?? []).map(({ type }) => describeType(type)).join(', ');
}

describe('WAREHOUSE_ONE: the length of a text in a table of a query', () => {
  test.each([
    ["select 'NEW' as v", 'VARCHAR(3)'],
    ["select 'größe 😀' as v", 'VARCHAR(7)'],
    ["select '' as v", 'VARCHAR'],
    ["select case when id = 1 then 'a' when id = 2 then '' else 'bc' end as v from orders", 'VARCHAR(2)'],
    ["select case when id = 1 then 'a' end as v from orders", 'VARCHAR(1)'],
    ["select coalesce(name, 'b') as v from orders", 'VARCHAR(20)'],
    ["select iff(true, 'a', 'bcd') as v", 'VARCHAR(3)'],
    ["select decode(1, 1, 'ab', 'a') as v", 'VARCHAR(2)'],
    ["select greatest('a', 'bcd') as v", 'VARCHAR(3)'],
    ["select nullif('abc', 'b') as v", 'VARCHAR(3)'],
    ["select max(v) as v from (select 'ab' as v)", 'VARCHAR(2)'],
    ["select lag(name, 1, 'none') over (order by id) as v from orders", 'VARCHAR(20)'],
    ["select 'a' as v union all select 'bcd'", 'VARCHAR(3)'],
    ["select 'a' as v union select name from orders", 'VARCHAR(20)'],
    ["select v from values ('a'), ('bcd') as t(v)", 'VARCHAR(3)'],
    ["select name || '-' || 'xy' as v from orders", 'VARCHAR(23)'],
    ["select concat('ab', 'c') as v", 'VARCHAR(3)'],
    ["with c as (select 'ab' as v) select v from c", 'VARCHAR(2)'],
    [
      "select coalesce(a.v, b.v) as v from (select 'a' as v) a cross join (select 'abc' as v) b",
      'VARCHAR(3)',
    ],
    ["select v from (select 'a' as v) a full join (select 'abc' as v) b using (v)", 'VARCHAR(3)'],
    ["select v from (select 'a' as x, 'abc' as y) unpivot (v for n in (x, y))", 'VARCHAR(3)'],
    // Functions of which no length is known.
    ["select upper('abc') as v", 'VARCHAR'],
    ["select 'a' || id as v from orders", 'VARCHAR'],
    ["select case when id = 1 then 'a' else replace(name, 'x', 'yy') end as v from orders", 'VARCHAR'],
    ["select 'abc'::varchar as v", 'VARCHAR'],
    [
      "with recursive r as (select 'a' as v, 1 as n union all select v || 'b', n + 1 from r where n < 3) select v from r",
      'VARCHAR',
    ],
  ])('%s', async (query, type) => {
    await runScript(`create or replace table lengths as ${query}`, 'WAREHOUSE_ONE', warehouse);
    expect(typesOf('LENGTHS')).toBe(type);
    await runScript(`create or replace view lengths_view as ${query}`, 'WAREHOUSE_ONE', warehouse);
    expect(typesOf('LENGTHS_VIEW')).toBe(type);
  });

  test.each([
    "update o set v = 'PROCESSED'",
    "insert into o values (2, 'PROCESSED')",
    "merge into o using (select 1 as k, 'PROCESSED' as v) s on o.k = s.k when matched then update set v = s.v",
  ])('a longer one is an error: %s', async (statement) => {
    const script = `create or replace table o as select 1 as k, 'NEW' as v; ${statement}`;
    await expect(runScript(script, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
      'a text is longer than VARCHAR(3) allows',
    );
  });

  test('the types that CREATE TABLE lists count, and a cast without a length has none', async () => {
    const script = `create or replace table o (v varchar) as select 'NEW'; update o set v = 'PROCESSED';
      create or replace table o as select 'NEW'::varchar as v; update o set v = 'PROCESSED'`;
    await runScript(script, 'WAREHOUSE_ONE', warehouse);
    expect(typesOf('O')).toBe('VARCHAR');
  });
});

test('WAREHOUSE_TWO: a text literal has no length, which is not documented there', async () => {
  const script = "create table o as select 'NEW'::text as a, 'NEW' as v; update o set v = 'PROCESSED'";
  await expect(runScript(script, 'WAREHOUSE_TWO', two)).resolves.toBeUndefined();
});
