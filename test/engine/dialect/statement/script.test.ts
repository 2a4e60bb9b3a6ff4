import { afterEach, beforeEach, expect, test } from 'vitest';
import { sourceText } from '../../../../engine/core/source-text.ts';
import { translateScript } from '../../../../engine/dialect/translate.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { contextOf, openOrders, rowsOf, runScript } from '../write/orders.ts';

let warehouse: Warehouse;
beforeEach(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
});
afterEach(async () => {
  await warehouse[Symbol.asyncDispose]();
});

test.each(['select 1 -- one\rselect 2', 'select 1;\r// one\rselect 2\r', '-- a\r\r\nselect 1'])(
  'a comment that ends with CR is refused, not read to the end of the text: %j',
  async (script) => {
    await expect(runScript(script, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
      'does not support a comment that ends with CR; save the file with LF or CRLF',
    );
  },
);

test('lines of SQL without comments may end with CR', async () => {
  await runScript(
    'create table x (id int);\rinsert into x\rvalues (1);\r\n-- done\r\n',
    'WAREHOUSE_ONE',
    warehouse,
  );
  expect(await rowsOf('select id from x', 'WAREHOUSE_ONE', warehouse)).toBe('[[1]]');
});

const create = "create or replace table x (id int primary key, name varchar(3) default 'd', n number(5,1));";

test.each([
  ['create function f(x int) returns int language python as $$ 1 $$', 'CREATE FUNCTION … LANGUAGE PYTHON'],
  ["create function f() returns table (a int) as 'select 1'", 'CREATE FUNCTION … RETURNS TABLE'],
  ["create function f() returns int as 'select 1'", 'a function whose body begins with SELECT'],
  ["create function f() returns int as 'random()'", 'a function that returns a different value in each call'],
  ["create function f(x int) returns int as 'x + y'", 'column "Y" not found; known: "X"'],
  [
    "create function f(x int) returns int as 'x'; create function f(x int) returns int as 'x'",
    'exists already',
  ],
  ["create function f(x int) returns int as 'x'; select f(1, 2)", 'F takes 1 argument, not 2'],
  [
    "create function f(x int) returns int as 'x'; select f(random())",
    'a value that changes with each evaluation as an argument of F',
  ],
  ['drop function f(int)', 'the function "F" does not exist'],
])('%s fails', async (script, message) => {
  await expect(runScript(script, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(message);
});

test.each([
  [
    'inserts rows, and converts them',
    `${create} insert into x (id, n) values (1, '2.55'), ('2', 3)`,
    'select * from x order by id',
    '[[1,"d","2.6"],[2,"d","3.0"]]',
  ],
  [
    'inserts the rows of a query',
    `${create} insert into x select id, left(name, 3), amount from orders`,
    'select count(*), sum(n) from x',
    '[[3,"13.5"]]',
  ],
  [
    'replaces a table by a query that reads it',
    'create or replace table orders as select id, name from orders where id > 1',
    'select * from orders order by 1',
    '[[2,null],[3,"5"]]',
  ],
  [
    'updates from another table',
    `${create} insert into x (id) values (1), (9); update x set name = o.name, x.n = o.amount from orders o where o.id = x.id`,
    'select * from x order by id',
    '[[1,"a","10.5"],[9,"d",null]]',
  ],
  [
    'updates a row by several rows with the same values',
    `${create} insert into x (id) values (1); update x set n = 7 from orders o where x.id < o.id`,
    'select id, n from x',
    '[[1,"7.0"]]',
  ],
  [
    'replaces a schema, and what it has',
    `create schema other; create table other.x (id int); create or replace schema other; create table x (id int)`,
    'select count(*) from other.x',
    '[[0]]',
  ],
  [
    'creates functions, and replaces and drops them',
    `create function "DB"."S"."f_hash"(ids array, n int) returns varchar as $$ MD5(ARRAY_TO_STRING(ids, ',')) || n $$;
     create function twice(x number(10,2)) returns number(10,1) language sql comment = 'c' as 'x + X';
     create table h as select s."f_hash"(array_construct('a', 1), 7) as h, Twice('1.26') as t, twice(null) as z;
     create or replace function twice(x int) returns int as 'x * 3';
     create function if not exists twice(x int) returns int as 'x * 4';
     drop function if exists none(int); drop function "f_hash"(array, int)`,
    'select h, t, z, twice(5) from h',
    '[["9c33a6bfd68fb41dc26d8f89913259ed7","2.5",null,15]]',
  ],
  ['deletes rows', 'delete from orders o where o.id in (1, 2)', 'select id from orders', '[[3]]'],
  [
    'deletes rows by another table',
    `${create} insert into x (id) values (1); delete from orders using x where x.id = orders.id`,
    'select id from orders order by 1',
    '[[2],[3]]',
  ],
  [
    'merges',
    `${create} insert into x (id) values (1), (2); merge into x t using (select id, amount from orders) s on t.id = s.id when matched and s.id = 2 then delete when matched then update set t.n = s.amount when not matched then insert (id, name) values (s.id, 'new')`,
    'select * from x order by id',
    '[[1,"d","10.5"],[3,"new",null]]',
  ],
  [
    'computes the value of a session variable, and changes nothing',
    "set last_id = (select coalesce((select to_varchar(max(id)) from orders), '0'))",
    'select count(*) from orders',
    '[[3]]',
  ],
  ['truncates', 'truncate table orders', 'select count(*) from orders', '[[0]]'],
  [
    'creates views',
    'create or replace view v (k) as select id * 2 from orders',
    'select sum(k) from v',
    '[[12]]',
  ],
  [
    'creates schemas, and uses them',
    'create schema s2; create table y (a int); insert into y values (5)',
    'select a from db.s2.y',
    '[[5]]',
  ],
  [
    'uses databases',
    'create database other; create table y as select 1 a; use schema db.s; insert into orders (id) values (7)',
    'select count(*) from orders o, other.public.y',
    '[[4]]',
  ],
  [
    'alters tables',
    `${create} alter table x add column extra float; alter table x rename column n to m; alter table x drop column name; insert into x values (1, 2, 3)`,
    'select * from x',
    '[[1,"2.0",3]]',
  ],
  [
    'creates a table only if it is missing',
    'create table if not exists orders (z int); drop table if exists nothing',
    'select count(*) from orders',
    '[[3]]',
  ],
  [
    'leaves statements without a meaning alone',
    'use role r; grant select on orders to role r; use warehouse w',
    'select count(*) from orders',
    '[[3]]',
  ],
  ['overwrites', 'insert overwrite into orders (id) values (4)', 'select id from orders', '[[4]]'],
])('a script %s', async (_title, script, query, expected) => {
  await runScript(script, 'WAREHOUSE_ONE', warehouse);
  expect(await rowsOf(query, 'WAREHOUSE_ONE', warehouse)).toBe(expected);
});

test.each([
  [
    'text that is too long',
    `${create} insert into x (id, name) values (1, 'long')`,
    'a text is longer than VARCHAR(3) allows',
  ],
  ['NULL in a primary key', `${create} insert into x (id) values (null)`, 'NOT NULL'],
  [
    'several rows for one',
    `${create} insert into x (id) values (1); merge into x using orders o on x.id < o.id when matched then update set n = 1`,
    'MERGE: several rows of the source match the same row of the target',
  ],
  [
    'several rows that give one row different values',
    `${create} insert into x (id) values (1); update x set n = o.id from orders o where x.id < o.id`,
    'an UPDATE in which several rows of FROM give a row different values, because the warehouse may take any of these values; make sure that at most one row of FROM matches',
  ],
  ['a table that exists', 'create table orders (a int)', 'exists already'],
  ['a table that is missing', 'drop table nothing', 'not found'],
  ['too few values', 'insert into orders (id, name) values (1)', 'INSERT has 1 values for 2 columns'],
  ['a view in place of a table', 'create or replace view orders as select 1 a', 'exists already'],
])('a script fails for %s', async (_title, script, message) => {
  await expect(runScript(script, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(message);
});

test('statements keep their text and their offset', () => {
  const source = sourceText(`-- first\nselect 1; use role "a;b"; select ';'`, 'script.sql');
  const statements = [...translateScript(source, contextOf('WAREHOUSE_ONE', warehouse))];
  expect(statements.map(({ kind, text, offset }) => [kind, text, offset])).toEqual([
    ['query', 'select 1', 9],
    ['no-effect', 'use role "a;b"', 19],
    ['query', "select ';'", 35],
  ]);
});

const two = `create or replace table a (id int, word varchar default 'd'); create or replace table b (id int, word varchar);
  create or replace table s as select column1 as id, column2 as n from (values (1, 10), (2, 20), (3, null));`;
const both = "select 'a' t, id, word from a union all select 'b', id, word from b order by t, id, word";

test.each([
  [
    'all rows into each table',
    "insert all into a into b (id) select id, 'x' || n as word from s where id < 3",
    'INSERT has 2 values for 1 columns',
  ],
  [
    'the columns of the query, in their order',
    "insert all into a into b select id, 'x' || n as word from s where id < 3",
    [
      ['a', 1, 'x10'],
      ['a', 2, 'x20'],
      ['b', 1, 'x10'],
      ['b', 2, 'x20'],
    ],
  ],
  [
    'values over the rows, and defaults of the columns that are left out',
    "insert all into a (id) values (n) into b values (n + id, 'y' || id) into b (word) values ('z') select * from s where id = 1",
    [
      ['a', 10, 'd'],
      ['b', 11, 'y1'],
      ['b', null, 'z'],
    ],
  ],
  [
    'every WHEN that holds, and ELSE where none does; NULL does not hold',
    "insert all when n >= 10 then into a values (id, 'ten') when n >= 20 then into a values (id, 'twenty') into b values (id, 'both') else into b values (id, 'none') select id, n from s",
    [
      ['a', 1, 'ten'],
      ['a', 2, 'ten'],
      ['a', 2, 'twenty'],
      ['b', 2, 'both'],
      ['b', 3, 'none'],
    ],
  ],
  [
    'only the first WHEN that holds',
    "insert first when n >= 20 then into a values (id, 'twenty') when n >= 10 then into a values (id, 'ten') else into b (id) values (id) select id, n from s",
    [
      ['a', 1, 'ten'],
      ['a', 2, 'twenty'],
      ['b', 3, null],
    ],
  ],
  [
    'a query that reads a table which it fills, computed once',
    "insert into a values (1, 'old'); insert all into a into b select id + 1, 'new' from a",
    [
      ['a', 1, 'old'],
      ['a', 2, 'new'],
      ['b', 2, 'new'],
    ],
  ],
  [
    'OVERWRITE removes the rows of each table, once',
    "insert into a values (1, 'old'); insert into b values (1, 'old'); insert overwrite all into a values (id, 'new') into a values (id, word) into b (select id + 1 as id, word from a)",
    [
      ['a', 2, 'new'],
      ['a', 2, 'old'],
      ['b', 2, 'old'],
    ],
  ],
  [
    'FIRST without WHEN',
    'insert first into a select 1 as id, 2 as w',
    'INSERT FIRST needs at least one WHEN',
  ],
  [
    'a column that the query does not have',
    'insert all into a (id) values (nope) select 1 as id',
    'column "NOPE" not found',
  ],
])('INSERT ALL: %s', async (_, statement, expected) => {
  const run = runScript(`${two} ${statement}`, 'WAREHOUSE_ONE', warehouse);
  if (typeof expected === 'string') return expect(run).rejects.toThrow(expected);
  await run;
  expect(await rowsOf(both, 'WAREHOUSE_ONE', warehouse)).toBe(JSON.stringify(expected));
});

test('INSERT ALL that fails for one table fills none', async () => {
  const failing =
    "insert all into a values (id, 'x') into b values (cast(n || 'x' as int), 'x') select id, n from s";
  await expect(runScript(`${two} ${failing}`, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
    "the text '10x' is not a number",
  );
  expect(await rowsOf(both, 'WAREHOUSE_ONE', warehouse)).toBe('[]');
});

test('CREATE OR REPLACE DATABASE removes every schema of the database, also an empty one, and no other', async () => {
  const script = `create database d; create schema d.one; create table d.one.t as select 1 as x; create schema d.two; create sequence d.two.ids;
    create or replace database d; create schema d.one; create schema d.two; create table t as select 2 as x`;
  await runScript(script, 'WAREHOUSE_ONE', warehouse);
  await warehouse.refresh();
  expect(
    warehouse.catalog.all().map(({ database, schema, table }) => `${database}.${schema}.${table}`),
  ).toEqual(['D.TWO.T', 'DB.S.ORDERS']);
});

test('CREATE DATABASE IF NOT EXISTS keeps a database; without IF NOT EXISTS, it is an error', async () => {
  const created = 'create database if not exists d; create table d.public.t as select 1 as x;';
  await runScript(`${created} create database if not exists d`, 'WAREHOUSE_ONE', warehouse);
  expect(await rowsOf('select x from d.public.t', 'WAREHOUSE_ONE', warehouse)).toBe('[[1]]');
  await expect(runScript('create database d', 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
    'script.sql:1:17: the database "D" exists already',
  );
});
