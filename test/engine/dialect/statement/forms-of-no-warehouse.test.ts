import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../../engine/core/refusal.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

/** Forms that DuckDB has and the warehouse has not: a test with one of them must not pass. */
describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });
  const failureOf = async (sql: string) =>
    await rowsOf(sql, kind, warehouse).catch((error: unknown) => error);

  test.each([
    'count(*) filter (where id > 1)',
    'sum(id) filter (where id > 1) over (partition by name)',
    "listagg(name, ',') filter (where id > 1)",
  ])('%s is refused', async (call) => {
    const failure = await failureOf(`select ${call} from orders`);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({
      construct: 'FILTER (WHERE …)',
      hint: 'the warehouse has no such clause; use CASE WHEN condition THEN value END as the argument of the aggregate',
      place: { line: 1, column: 8 + call.indexOf('filter') },
    });
  });

  const MODE = kind === 'WAREHOUSE_ONE' ? ['mode(id)'] : [];
  test.each(['median(id)', ...MODE, "listagg(name, ',')"])(
    '%s with ORDER BY in OVER is refused',
    async (call) => {
      const over = 'over (order by id rows between unbounded preceding and current row)';
      const failure = await failureOf(`select ${call} ${over} from orders`);
      expect(failure).toBeInstanceOf(Refusal);
      expect(failure).toMatchObject({
        construct: `${call.replace(/\(.*/, '').toUpperCase()} with ORDER BY in OVER`,
        hint: 'the warehouse does not allow an order there: leave ORDER BY out',
      });
    },
  );

  test.each([
    ['select distinct name v from orders order by id', 45],
    ['select distinct upper(name) v from orders order by name', 52],
    ['select distinct name from orders order by name, id', 49],
    ['select distinct name from orders order by coalesce(name, id::varchar)', 43],
    ['select distinct name from orders group by name, id order by id', 61],
    ['select distinct name from orders order by count(*) over (partition by id)', 43],
    ['select * from (select distinct name from orders order by id limit 1) q', 58],
  ])('%s is refused: the value is not selected', async (sql, column) => {
    const failure = await failureOf(sql);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({
      construct: 'ORDER BY of a value that is not in the list of SELECT DISTINCT',
      hint: 'add the value to the SELECT list, or order by a value that is in the list',
      place: { line: 1, column },
    });
  });

  test.each([
    ['select distinct name v from orders order by v', ['5', 'a', null]],
    ['select distinct name v from orders order by name desc', [null, 'a', '5']],
    ['select distinct o.name v from orders o order by name', ['5', 'a', null]],
    ['select distinct upper(name) v from orders order by upper(name)', ['5', 'A', null]],
    ['select distinct name from orders order by 1', ['5', 'a', null]],
    ['select distinct name from orders group by name order by orders.name', ['5', 'a', null]],
    ['select distinct doc from orders where id = 3 order by doc', [null]],
  ])('%s orders by a value that is selected', async (sql, values) => {
    expect(JSON.parse(await rowsOf(sql, kind, warehouse))).toEqual(values.map((value) => [value]));
  });
});

describe('WAREHOUSE_ONE: functions of an order', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_ONE');
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each([
    'row_number()',
    'rank()',
    'dense_rank()',
    'percent_rank()',
    'cume_dist()',
    'ntile(2)',
    'lag(id)',
    'lead(id, 1, 0)',
    'first_value(id)',
    'last_value(id)',
  ])('%s without ORDER BY in OVER is refused, wherever it stands', async (call) => {
    const name = call.replace(/\(.*/, '').toUpperCase();
    for (const over of ['()', '(partition by name)'])
      for (const sql of [
        `select ${call} over ${over} from orders`,
        `select id from orders qualify ${call} over ${over} = 1`,
        `select id from orders order by ${call} over ${over}`,
      ]) {
        const failure: unknown = await rowsOf(sql, 'WAREHOUSE_ONE', warehouse).catch(
          (error: unknown) => error,
        );
        expect(failure).toBeInstanceOf(Refusal);
        expect(failure).toMatchObject({
          construct: `${name} without ORDER BY in OVER`,
          hint: 'the warehouse requires an order: add ORDER BY to OVER (…)',
        });
      }
    expect(
      await rowsOf(
        `select count(v) > 1 from (select ${call} over (order by id) v from orders)`,
        'WAREHOUSE_ONE',
        warehouse,
      ),
    ).toBe('[[true]]');
  });

  test('SELECT DISTINCT may be in the order of an expression over what it selects', async () => {
    const sql = 'select distinct name, id from orders order by id * -1, upper(orders.name)';
    expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe('[["5",3],[null,2],["a",1]]');
  });

  test.each([
    ['count(distinct name)', 'COUNT(DISTINCT …) with ORDER BY in OVER'],
    ['sum(distinct id)', 'SUM(DISTINCT …) with ORDER BY in OVER'],
  ])('%s with ORDER BY in OVER is refused', async (call, construct) => {
    for (const rest of ['', ' rows between 1 preceding and current row'])
      await expect(
        rowsOf(`select ${call} over (order by id${rest}) from orders`, 'WAREHOUSE_ONE', warehouse),
      ).rejects.toMatchObject({
        construct,
        hint: 'the warehouse does not allow an order there: leave ORDER BY out',
      });
    const sql = `select ${call} over (partition by id) from orders where id = 1`;
    expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe('[[1]]');
  });

  test('an aggregate needs no order in OVER', async () => {
    const sql = 'select sum(id) over (), count(*) over (partition by id) from orders where id = 1';
    expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe('[[1,1]]');
  });
});

test.each(['lag', 'lead'])('WAREHOUSE_TWO: %s has no third argument', async (name) => {
  await using warehouse = await openOrders('WAREHOUSE_TWO');
  const sql = (values: string) => `select ${name}(${values}) over (order by id) from orders where id = 1`;
  await expect(rowsOf(sql('id, 1, 0'), 'WAREHOUSE_TWO', warehouse)).rejects.toThrow(
    `${name.toUpperCase()} takes 1 to 2 arguments, not 3`,
  );
  expect(await rowsOf(sql('id, 1'), 'WAREHOUSE_TWO', warehouse)).toBe('[[null]]');
});

describe('WAREHOUSE_TWO: statements and types of the other kind', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_TWO');
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each([
    ['create or replace table z as select 1 a', 'CREATE OR REPLACE TABLE'],
    ['create transient table z (a int)', 'CREATE TRANSIENT TABLE'],
    ['create or replace transient table z (a int)', 'CREATE OR REPLACE TRANSIENT TABLE'],
    ['create or replace schema zz', 'CREATE OR REPLACE SCHEMA'],
    ['create transient schema zz', 'CREATE TRANSIENT SCHEMA'],
    ['create or replace database zz', 'CREATE OR REPLACE DATABASE'],
    ['create sequence sq', 'CREATE SEQUENCE'],
    ['create or replace sequence sq', 'CREATE OR REPLACE SEQUENCE'],
    ["create or replace function f(x int) returns int as 'x'", 'CREATE OR REPLACE FUNCTION'],
    ['drop sequence sq', 'DROP SEQUENCE'],
    ['insert overwrite into orders select * from orders', 'INSERT OVERWRITE'],
    ['insert all into orders select * from orders', 'INSERT ALL'],
    ['create or replace stage st', 'CREATE OR REPLACE STAGE'],
    ["create task tt schedule='1 minute' as select 1", 'CREATE TASK'],
    ["alter warehouse w set warehouse_size='X'", 'ALTER WAREHOUSE'],
    ['create or replace file format ff type=csv', 'CREATE OR REPLACE FILE'],
    ["alter session set query_tag='x'", 'ALTER SESSION'],
    ['create or replace role r', 'CREATE OR REPLACE ROLE'],
    ['use warehouse w', 'USE'],
    ['use role r', 'USE'],
  ])('%s is refused', async (sql, construct) => {
    const failure: unknown = await runScript(`select 1;\n${sql}`, 'WAREHOUSE_TWO', warehouse).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({ construct, place: { line: 2, column: 1 } });
  });

  test.each(['create table z (a string)', 'create table z as select name::string a from orders'])(
    '%s is refused',
    async (sql) => {
      await expect(runScript(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toMatchObject({
        construct: 'the type STRING',
        hint: 'write VARCHAR(length) or TEXT',
      });
    },
  );

  test.each([
    [
      'm t using u on t.k = u.k when matched then delete when not matched then insert values (u.k)',
      'MERGE with an alias of the target',
    ],
    [
      'm using u on m.k = u.k when matched and u.k > 9 then delete when not matched then insert values (u.k)',
      'WHEN MATCHED AND',
    ],
    [
      'm using u on m.k = u.k when matched then delete when not matched and u.k > 9 then insert values (u.k)',
      'WHEN NOT MATCHED AND',
    ],
    [
      'm using u on m.k = u.k when matched then delete',
      'MERGE without both WHEN MATCHED and WHEN NOT MATCHED',
    ],
    [
      'm using u on m.k = u.k when not matched then insert values (u.k)',
      'MERGE without both WHEN MATCHED and WHEN NOT MATCHED',
    ],
  ])('MERGE INTO %s is refused', async (merge, construct) => {
    const tables =
      'drop table if exists m; drop table if exists u; create table m (k int); create table u (k int);';
    await expect(
      runScript(`${tables} merge into ${merge}`, 'WAREHOUSE_TWO', warehouse),
    ).rejects.toMatchObject({
      construct,
    });
  });

  const BRANCHES = 'when matched then update set v = u.v when not matched then insert values (u.k, u.v)';
  const TABLES = `drop table if exists merged; drop table if exists u;
    create table merged (k int, v int); create table u (k int, v int); create or replace view uv as select * from u;
    insert into merged values (1, 1); insert into u values (1, 5), (2, 7);`;
  const merge = async (rest: string) => {
    await runScript(`${TABLES} merge into merged using ${rest}`, 'WAREHOUSE_TWO', warehouse);
  };
  afterEach(async () => {
    await runScript('drop view if exists uv', 'WAREHOUSE_TWO', warehouse);
  });

  test('MERGE with both WHEN runs', async () => {
    await merge(`u on merged.k = u.k and u.v > 1 ${BRANCHES}`);
    expect(await rowsOf('select k, v from merged order by k', 'WAREHOUSE_TWO', warehouse)).toBe(
      '[[1,5],[2,7]]',
    );
  });

  test.each([
    [`(select * from u) u on merged.k = u.k ${BRANCHES}`, 'MERGE of a query'],
    [`(values (1, 5)) u (k, v) on merged.k = u.k ${BRANCHES}`, 'VALUES as a table'],
    [`uv u on merged.k = u.k ${BRANCHES}`, 'MERGE of a view'],
    [`merged u on merged.k = u.k ${BRANCHES}`, 'MERGE of a table into itself'],
    [`u on merged.k < u.k ${BRANCHES}`, 'MERGE on a condition without equality'],
    [`u on merged.k = u.k or u.k = 1 ${BRANCHES}`, 'MERGE on a condition without equality'],
  ])('MERGE USING %s is refused', async (rest, construct) => {
    await expect(merge(rest)).rejects.toMatchObject({ name: 'Refusal', construct, hint: expect.any(String) });
  });

  test.each([
    [
      BRANCHES.replace('set v', 'set merged.v'),
      'the columns in SET cannot have a table before their names: leave the table out',
    ],
    [
      BRANCHES.replace('insert', 'insert (merged.k, merged.v)'),
      'the columns of INSERT cannot have a table before their names: leave the table out',
    ],
  ])('MERGE … %s is an error', async (branches, message) => {
    await expect(merge(`u on merged.k = u.k ${branches}`)).rejects.toThrow(message);
  });

  test('MERGE of two rows for one fails, also where it deletes it', async () => {
    const script = `${TABLES} insert into u values (1, 6); merge into merged using u on merged.k = u.k
      when matched then delete when not matched then insert values (u.k, u.v)`;
    await expect(runScript(script, 'WAREHOUSE_TWO', warehouse)).rejects.toThrow(
      'MERGE: several rows of the source match the same row of the target',
    );
  });

  test.each([
    ['select * from (values (1)) t (a)', 'VALUES as a table'],
    ['values (1)', 'VALUES as a table'],
    ['select mode(id) from orders', 'the function MODE'],
    ['select now(), id from orders', 'NOW in a query that reads a table'],
    [
      'select id from orders where day < current_timestamp',
      'CURRENT_TIMESTAMP in a query that reads a table',
    ],
    ['select localtimestamp, id from orders', 'LOCALTIMESTAMP in a query that reads a table'],
    ['select current_schema(), id from orders', 'CURRENT_SCHEMA in a query that reads a table'],
    ["select listagg('a')", 'LISTAGG without a table'],
    ['select lag(id, -1) over (order by id) from orders', 'these arguments of LAG'],
    [
      'select listagg(name) within group (order by id), listagg(name) within group (order by name) from orders',
      'LISTAGG with a different order than another aggregate',
    ],
    [
      'select listagg(name) within group (order by id), median(f) from orders',
      'MEDIAN with a different order than another aggregate',
    ],
  ])('%s is refused', async (sql, construct) => {
    await expect(rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toMatchObject({
      name: 'Refusal',
      construct,
    });
  });

  test.each([
    [
      'select listagg(name) within group (order by id), listagg(name) from orders where id = 1',
      '[["a","a"]]',
    ],
    ['select listagg(name) within group (order by f), median(f) from orders where id = 1', '[["a",2.5]]'],
    ['select now() is null', '[[false]]'],
    ['select max(name), min(name) from orders', '[["a","5"]]'],
  ])('%s runs', async (sql, expected) => {
    expect(await rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).toBe(expected);
  });

  test.each(['min', 'max'])(
    '%s of a text that ends with a space is refused, also with OVER',
    async (name) => {
      for (const over of ['', ' over ()'])
        await expect(
          rowsOf(`select ${name}(name || ' ')${over} from orders`, 'WAREHOUSE_TWO', warehouse),
        ).rejects.toThrow(`${name.toUpperCase()} of a text that ends with a space; apply RTRIM to it`);
    },
  );

  test.each(['left', 'right', 'full'])('UPDATE from a %s join is refused', async (how) => {
    const sql = `${TABLES} update merged set v = 1 from u a ${how} join u b on a.k = b.k where merged.k = a.k`;
    await expect(runScript(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toMatchObject({
      name: 'Refusal',
      construct: `a ${how.toUpperCase()} JOIN in FROM of UPDATE`,
    });
  });

  test.each([
    'a.id < b.id',
    'a.id = b.id and a.id > 1',
    'a.id = 1',
    'a.id = b.id or a.id = b.id + 1',
    'a.id + b.id = 2',
  ])('FULL JOIN on %s is refused', async (on) => {
    const sql = `select a.id from orders a full join orders b on ${on}`;
    await expect(rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toMatchObject({
      name: 'Refusal',
      construct: 'FULL JOIN on a condition other than equality',
    });
  });

  test.each(['a.id = b.id', 'b.id + 1 = a.id + 1', 'a.id = b.id and lower(a.name) = b.name'])(
    'FULL JOIN on %s runs',
    async (on) => {
      const sql = `select count(*) > 2 from orders a full join orders b on ${on}`;
      expect(await rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).toBe('[[true]]');
    },
  );

  test('a table that exists is not replaced: the message says what to do', async () => {
    await expect(runScript('create table orders (a int)', 'WAREHOUSE_TWO', warehouse)).rejects.toThrow(
      'the table "orders" exists already; drop it first, or write IF NOT EXISTS',
    );
  });

  test('statements that it has run, or have no effect here', async () => {
    const script = `create or replace view v as select 1 a; create or replace view v as select 2 a;
      grant select on v to r; create role r; create user u password disable; vacuum; analyze`;
    await runScript(script, 'WAREHOUSE_TWO', warehouse);
    expect(await rowsOf('select a from v', 'WAREHOUSE_TWO', warehouse)).toBe('[[2]]');
  });
});
