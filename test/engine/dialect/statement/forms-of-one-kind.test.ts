import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

/** Forms that only the other kind has, or none: a test with one of them must not pass. */
const KINDS: readonly (readonly [WarehouseKind, Forms])[] = [
  [
    'WAREHOUSE_ONE',
    {
      wrong: [
        [
          'select sysdate from orders',
          'column "SYSDATE" not found; if you mean the function, write SYSDATE()',
        ],
        ['select sysdate', 'column "SYSDATE" not found; if you mean the function, write SYSDATE()'],
        [
          "select '2024-01-31'::date + interval 1 day",
          "INTERVAL must be followed by a text: write INTERVAL '1 day', or use DATEADD for a calculated amount",
        ],
        [
          'select day - interval id day from orders',
          "INTERVAL must be followed by a text: write INTERVAL '1 day', or use DATEADD for a calculated amount",
        ],
        [
          'create or replace table if not exists z (a int)',
          'OR REPLACE and IF NOT EXISTS cannot be used together: leave one of them out',
        ],
        [
          'create or replace view if not exists z as select 1 a',
          'OR REPLACE and IF NOT EXISTS cannot be used together: leave one of them out',
        ],
        [
          'create or replace sequence if not exists z',
          'OR REPLACE and IF NOT EXISTS cannot be used together: leave one of them out',
        ],
        ['create table z (a decimal(10,2,1))', 'a decimal type has a precision and a scale, not 3 sizes'],
        ['create table z (a)', 'expected AS and a query, because the columns have no types'],
        ['create table z (a, b) as select 1', 'CREATE TABLE lists 2 columns, but its query has 1'],
        ...[
          'create table z (a, a) as select 1, 2',
          'create table z (a int, b int, a int)',
          'create view z (a, a) as select 1, 2',
          'create function z (a int, a int) returns int as 1',
          'insert into y (a, a) values (1, 2)',
          'insert all into y (a, a) values (1, 2) select 3',
          'update y set a = 1, a = 2',
          'merge into y using orders o on y.a = o.id when matched then update set a = 1, a = 2',
          'merge into y using orders o on y.a = o.id when not matched then insert (a, a) values (1, 2)',
        ].map(
          (sql) =>
            [
              `create or replace table y (a int); ${sql}`,
              'the name of the column "A" is used twice',
            ] as const,
        ),
        ['create table z clone nowhere', 'table "DB"."S"."NOWHERE" not found'],
        [
          'create or replace view w as select 1 a; create table z clone w',
          '"W" is a view, but CLONE can only copy tables',
        ],
        [
          'create or replace table y (a int autoincrement, b int); create table z clone y',
          'CLONE of a table with an identity column',
        ],
        [
          "create or replace table y (a varchar(2)); create or replace table z clone y; insert into z values ('abc')",
          'a text is longer than VARCHAR(2) allows',
        ],
        [
          'create or replace table y (a int not null, b int); alter table y drop column b; create or replace table z clone y; insert into z values (null)',
          'NOT NULL',
        ],
      ],
      values: [
        [
          'select sysdate() is null, current_date() is null, current_timestamp is null',
          '[[false,false,false]]',
        ],
        ["select position('b', 'abc'), position('b' in 'abc')", '[[2,2]]'],
        ['select sysdate from (select 7 as sysdate) t', '[[7]]'],
        ["select '2024-01-31'::date + interval '1 day'", '[["2024-02-01"]]'],
        [
          "create or replace table y (a varchar(2) primary key, b number(5,1) default 7); insert into y values ('ab', 1.5); create table z clone y copy grants; insert into y values ('cd', 2); insert into z (a) values ('ef'); select a, b from z order by a",
          '[["ab","1.5"],["ef","7.0"]]',
        ],
        [
          'create or replace table y as select 1 a; create table if not exists z clone y; create or replace table z clone z; select a from z',
          '[[1]]',
        ],
        ["select trunc('2024-01-31 10:11:12'::timestamp, 'month')", '[["2024-01-01 00:00:00"]]'],
        ['create table z (a, "b") as select 1, \'x\'; select a, "b" from z', '[[1,"x"]]'],
        ['create table z (a double, b timestamp_ntz, c timestamp_ltz); select a, b, c from z', '[]'],
      ],
    },
  ],
  [
    'WAREHOUSE_TWO',
    {
      wrong: [
        ['select sysdate()', 'SYSDATE is written without parentheses: leave them out'],
        ['select current_date() from orders', 'CURRENT_DATE is written without parentheses: leave them out'],
        ['select localtimestamp()', 'LOCALTIMESTAMP is written without parentheses: leave them out'],
        ['select date_trunc(month, day) from orders', "the unit of DATE_TRUNC must be a text: write 'month'"],
        [
          "select position('b', 'abc')",
          'the arguments of POSITION are not separated by a comma: write POSITION(text IN value), or STRPOS(value, text)',
        ],
        [
          "select '2024-01-31'::date + interval 1 day",
          "INTERVAL must be followed by a text: write INTERVAL '1 day', or use DATEADD for a calculated amount",
        ],
        ['truncate table if exists orders', 'TRUNCATE has no IF EXISTS: leave it out'],
        ['create view if not exists z as select 1 a', 'CREATE VIEW has no IF NOT EXISTS'],
        [
          'create table z (a int) as select 1',
          'the columns of CREATE TABLE … AS cannot have types: cast the values of the query instead',
        ],
        [
          "select trunc(sysdate, 'month') from orders",
          'TRUNC of a date with a unit; write DATE_TRUNC(unit, date)',
        ],
        ["select trunc(day, 'mm') from orders", 'TRUNC of a date with a unit; write DATE_TRUNC(unit, date)'],
        ['create table z (a double)', 'the warehouse has no type DOUBLE: write DOUBLE PRECISION'],
        ['select id::timestamp_ntz from orders', 'the warehouse has no type TIMESTAMP_NTZ: write TIMESTAMP'],
        ['create table z (a timestamp_tz)', 'the warehouse has no type TIMESTAMP_TZ: write TIMESTAMPTZ'],
        ['create table z (a timestamp_ltz)', 'the warehouse has no type TIMESTAMP_LTZ: write TIMESTAMPTZ'],
        ['create table z (a decimal(10,2,1))', 'a decimal type has a precision and a scale, not 3 sizes'],
      ],
      values: [
        ['select sysdate is null, current_date is null, getdate() is null', '[[false,false,false]]'],
        ["select date_trunc('month', day) from orders where id = 1", '[["2024-01-01 00:00:00"]]'],
        ["select trunc('2024-01-31 10:11:12'::timestamp)", '[["2024-01-31"]]'],
        ["select position('b' in 'abc'), strpos('abc', 'b')", '[[2,2]]'],
        ["select '2024-01-31'::date + interval '1 day'", '[["2024-02-01 00:00:00"]]'],
        ["create table z (a, b) as select 1, 'x'; select a, b from z", '[[1,"x"]]'],
        ['create table z (a double precision, b timestamptz, c timestamp); select a, b, c from z', '[]'],
      ],
    },
  ],
];

interface Forms {
  readonly wrong: readonly (readonly [script: string, message: string])[];
  /** Scripts that end with a query, and its rows. */
  readonly values: readonly (readonly [script: string, rows: string])[];
}

describe.each(KINDS)('%s', (kind, { wrong, values }) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each(wrong)('%s is an error', async (sql, message) => {
    await expect(runScript(sql, kind, warehouse)).rejects.toThrow(message);
  });

  test.each(values)('%s has its documented rows', async (script, rows) => {
    const last = script.lastIndexOf(';') + 1;
    await runScript(`drop table if exists z; ${script.slice(0, last)}`, kind, warehouse);
    expect(await rowsOf(script.slice(last).trim(), kind, warehouse)).toBe(rows);
  });
});
