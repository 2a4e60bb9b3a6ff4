import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sourceText } from '../../../../engine/core/source-text.ts';
import { translateQuery } from '../../../../engine/dialect/translate.ts';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { contextOf, rowsOf, runScript as run } from '../write/orders.ts';

const monday = Date.UTC(2026, 0, 5, 8, 30);
const tuesday = Date.UTC(2026, 0, 6, 9);
let now = monday;
let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '200MB', now: () => now });
  await warehouse.createSchema('DB', 'S');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

const runScript = (sql: string) => run(sql, 'WAREHOUSE_ONE', warehouse);
const rows = (sql: string) => rowsOf(sql, 'WAREHOUSE_ONE', warehouse);

test('a default with the clock is evaluated for each row, when it is inserted', async () => {
  now = monday;
  await runScript(
    'create table loads (id int, at timestamp default current_timestamp(), day date default current_date not null);',
  );
  await runScript('insert into loads (id) values (1)');
  now = tuesday;
  await runScript('insert into loads (id) values (2)');
  expect(await rows('select id, at, day from loads order by id')).toBe(
    '[[1,"2026-01-05 08:30:00","2026-01-05"],[2,"2026-01-06 09:00:00","2026-01-06"]]',
  );
});

test('in kind 2, GETDATE gives whole seconds, also in a default, and SYSDATE gives fractions', async () => {
  const two = await openWarehouse({
    kind: 'WAREHOUSE_TWO',
    memoryLimit: '200MB',
    now: () => Date.UTC(2026, 0, 5, 8, 30, 59, 987),
  });
  onTestFinished(() => two[Symbol.asyncDispose]());
  await two.createSchema('db', 's');
  await run(
    `create table loads (id int, at timestamp default getdate(), exact timestamp default sysdate);
     insert into loads (id) values (1)`,
    'WAREHOUSE_TWO',
    two,
  );
  expect(await rowsOf('select at, exact from loads', 'WAREHOUSE_TWO', two)).toBe(
    '[["2026-01-05 08:30:59","2026-01-05 08:30:59.987"]]',
  );
  const context = { ...contextOf('WAREHOUSE_TWO', two), now: Date.UTC(2026, 0, 5, 8, 30, 59, 987) };
  const source = sourceText('select getdate(), dateadd(second, 1, getdate()), sysdate', 'query.sql');
  const { rows: read } = await two.query(translateQuery(source, context).sql, { maxRows: 1 });
  expect(read).toEqual([['2026-01-05 08:30:59', '2026-01-05 08:31:00', '2026-01-05 08:30:59.987']]);
});

test('a view with the clock is evaluated when it is read', async () => {
  now = monday;
  await runScript('create view today as select current_date as d, sysdate() as t');
  now = tuesday;
  expect(await rows('select d, t from today')).toBe('[["2026-01-06","2026-01-06 09:00:00"]]');
});

test('an identity column counts on its own, and again from its start when its table is replaced', async () => {
  const create = 'create or replace table counted (id int identity(10, 5), name text);';
  await runScript(`${create} insert into counted (name) values ('a'), ('b')`);
  expect(await rows('select id, name from counted order by id')).toBe('[[10,"a"],[15,"b"]]');
  await runScript(`${create} insert into counted (name) values ('c')`);
  expect(await rows('select id, name from counted')).toBe('[[10,"c"]]');
});

test('a sequence gives its next value in a query and in a default', async () => {
  await runScript(
    `create sequence ids start = 7 increment = 2;
     create table named (id number default ids.nextval, name text);
     insert into named (name) values ('a'), ('b');
     insert into named select s.ids.nextval, 'c'`,
  );
  expect(await rows('select id, name from named order by id')).toBe('[[7,"a"],[9,"b"],[11,"c"]]');
  await runScript('create sequence if not exists ids; drop table named; drop sequence ids');
  await expect(runScript('select ids.nextval')).rejects.toThrow(/sequence/i);
});

test('kind 2 cuts the blanks of a text that is too long for its column, and nothing else', async () => {
  await using two = await openWarehouse({ kind: 'WAREHOUSE_TWO', memoryLimit: '200MB' });
  await two.createSchema('db', 's');
  const change = (sql: string) => run(sql, 'WAREHOUSE_TWO', two);
  await change(`create table words (id int, w varchar(3));
    insert into words values (1, 'abc   '), (2, 'a     '), (3, 'ä   '), (4, 'a '), (5, null);
    insert into words select 6, w || '   ' from words where id = 1;
    update words set w = 'xy    ' where id = 6;`);
  expect(await rowsOf("select w || '|' from words order by id", 'WAREHOUSE_TWO', two)).toBe(
    '[["abc|"],["a  |"],["ä |"],["a |"],[null],["xy |"]]',
  );
  await expect(change("insert into words values (7, 'abcd  ')")).rejects.toThrow(
    /a text is longer than VARCHAR\(3\) allows: column w/,
  );
});
