import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, runScript } from '../write/orders.ts';

/** Forms that the documentation of a kind excludes. */
const refused: Readonly<Record<WarehouseKind, readonly (readonly [sql: string, construct: string])[]>> = {
  WAREHOUSE_ONE: [
    ['with a as (select 1 v), a as (select 2 v) select v from a', 'two queries with the name "A" in WITH'],
    [
      'merge into m using orders o on m.id = o.id when matched then update set n = 1 when matched and o.id > 1 then delete',
      'WHEN MATCHED after WHEN MATCHED without AND',
    ],
    [
      'merge into m using orders o on m.id = o.id when not matched then insert values (1, 2) when not matched and o.id > 1 then insert values (3, 4)',
      'WHEN NOT MATCHED after WHEN NOT MATCHED without AND',
    ],
    ['alter table m rename column if exists n to x', 'IF EXISTS here, where a name is expected'],
    ['create table z (a int, primary key (a) rely)', 'the option RELY of a key'],
    ['create table z (a int, foreign key (a) references m (id) on delete cascade)', 'the option ON of a key'],
    ["create table z (a int) comment 'x'", 'COMMENT without ='],
    ["create view z (a comment 'x') as select id from m", 'comment after a'],
    ["create view z with tag (x = 'y') as select id from m", 'with after z'],
    ["create function z (a int) copy grants returns int as 'a'", 'copy after )'],
    ["create function z (a int) returns int strict as 'a'", 'strict after int'],
    ['insert into m by name select id from orders', 'by after m'],
    ['insert into m table orders', 'table after m'],
    [
      'merge into m using orders o on m.id = o.id when matched then update all by name',
      'ALL BY NAME in MERGE',
    ],
    [
      'merge into m using orders o on m.id = o.id when not matched then insert all by name',
      'ALL BY NAME in MERGE',
    ],
    [
      'merge into m using orders o on m.id = o.id when not matched then insert (id) values (default)',
      'DEFAULT in MERGE',
    ],
    ['select id, from orders', 'a comma before FROM'],
    ['select o.id from orders o left join lateral flatten(input => doc) f', 'LEFT JOIN without ON or USING'],
    ['select * from m pivot (sum(n) for id in (1) default on null (0))', 'default after )'],
    ['select * from m pivot (sum(n), max(n) for id in (1))', 'several aggregates in PIVOT'],
    ['with q as materialized (select id from m) select id from q', 'materialized after as'],
    ['select doc::array(int) from orders', 'ARRAY with types of its parts'],
    ['select doc::object(a int rename fields) from orders', 'OBJECT with types of its parts'],
    ["select name collate 'en-ci' from orders", 'collate after name'],
    ['select name like any (select name from orders) from orders', 'LIKE ANY of a query'],
    ['select id > 1 is unknown from orders', 'unknown after is'],
    ["select doc:['a'] from orders", 'a path that begins with ['],
    ['select doc:a[-1] from orders', 'a negative index'],
    [
      "select sum(id) over (order by day range between interval '1 day' preceding and current row) from orders",
      'interval after between',
    ],
    ["select x'ab'", 'X before a text'],
    ['select id from orders where id = :x', ':x, a variable of a block'],
    ['select id from db..orders', 'a name without its schema'],
    ['select 1 from dual', 'the table DUAL of the warehouse'],
    [
      'select table_name from information_schema.tables',
      'the table INFORMATION_SCHEMA.TABLES of the warehouse',
    ],
  ],
  WAREHOUSE_TWO: [
    ['with a as (select 1 v), a as (select 2 v) select v from a', 'two queries with the name "a" in WITH'],
    [
      'with recursive r as (select 1 n union all select n + 1 from r where n < 3) select n from r',
      'a recursive query without a list of column names',
    ],
    [
      'merge into m using orders o on m.id = o.id when not matched then insert values (1, 2) when matched then delete',
      'WHEN MATCHED after WHEN NOT MATCHED',
    ],
    [
      'select id from orders qualify row_number() over (order by id) = 1',
      'QUALIFY after a table without an alias',
    ],
    [
      'select o.id from orders o join m on m.id = o.id qualify row_number() over (order by o.id) = 1',
      'QUALIFY after a table without an alias',
    ],
    [
      'create view w as select id from orders qualify row_number() over (order by id) = 1',
      'QUALIFY after a table without an alias',
    ],
    ['alter table m drop column if exists n', 'DROP COLUMN IF EXISTS'],
    ['alter table m add column if not exists n int', 'ADD COLUMN IF NOT EXISTS'],
    ['merge into m using orders on m.id = orders.id remove duplicates', 'MERGE … REMOVE DUPLICATES'],
    ['select * from m pivot (sum(n) as s for id in (1 as a))', 'an alias of the aggregate in PIVOT'],
    ['select * from m pivot (sum(n) s for id in (1 as a))', 'an alias of the aggregate in PIVOT'],
    ['with q as (select 1 v) update m set n = v from q', 'WITH before UPDATE'],
    ['with q as (select 1 v) delete from m using q where id = v', 'WITH before DELETE'],
    ['with q as (select 1 v) insert into m (id) select v from q', 'WITH before INSERT'],
    ['select v from orders o, o.doc as v', 'the items of a SUPER value in FROM'],
    ["select b'101'", 'B before a text'],
    ["select int '5'", 'INT before a text'],
    ['select ||/ 8', 'the operator ||/'],
    ['select relname from pg_class', 'the table pg_class of the warehouse'],
    ['select table_name from svv_tables', 'the table svv_tables of the warehouse'],
  ],
};

const taken = {
  WAREHOUSE_ONE: [
    'select id from orders qualify row_number() over (order by id) = 1',
    'with recursive r as (select 1 n union all select n + 1 from r where n < 3) select n from r',
    'with a as (select 1 v) select v from (with a as (select 2 v) select v from a)',
    'merge into m using orders o on m.id = o.id when not matched then insert values (1, 2) when matched and o.id > 1 then delete when matched then update set n = 1',
    'delete from m where id = 1',
    'alter table m drop column if exists y',
    'alter table m drop column if exists n',
    'alter table m add column if not exists n int',
    'alter table if exists m add column if not exists y int',
    'create table z (a int) cluster by linear (a)',
    "select id from orders limit ''",
    'select id from orders limit $$$$',
    'select o.id from ((select id from orders) o join m on m.id = o.id)',
  ],
  WAREHOUSE_TWO: [
    'select id from orders where id > 1 qualify row_number() over (order by id) = 1',
    'select id from orders o qualify row_number() over (order by id) = 1',
    'select id from orders group by id qualify row_number() over (order by id) = 1',
    'with recursive r (n) as (select 1 union all select n + 1 from r where n < 3) select n from r',
    'with recursive r as (select 1 n union all select 2) select n from r',
    'delete m where id = 1',
    'create table z (a varchar(max))',
    'select o.id from ((select id from orders) o join m on m.id = o.id)',
  ],
} as const;

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
    await runScript('create table m (id int, n int)', kind, warehouse);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each(refused[kind])('%s is refused', async (sql, construct) => {
    await expect(runScript(sql, kind, warehouse)).rejects.toMatchObject({
      name: 'Refusal',
      construct,
      hint: expect.any(String),
    });
  });

  test.each(taken[kind])('%s runs', async (sql) => {
    await expect(runScript(sql, kind, warehouse)).resolves.toBeUndefined();
  });
});

test('WAREHOUSE_ONE: DELETE needs FROM', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  await expect(runScript('delete orders where id = 1', 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
    'expected FROM, but found orders',
  );
});
