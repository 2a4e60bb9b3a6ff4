import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal, SqlError } from '../../../../engine/core/refusal.ts';

import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

const pairs =
  "(select 1 a, 'x' b union all select 1, 'x' union all select 1, 'y' union all select null, 'y')";
const numbers = '(select 10 x union all select 9 union all select 9 union all select null)';

describe('WAREHOUSE_ONE', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_ONE');
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each([
    [
      'select floor(1.27, 1), floor(-1.27, 1), floor(127, -1), floor(1.5, 3), floor(null, 1)',
      ['1.2', '-1.3', 120, '1.5', null],
    ],
    [
      'select ceil(1.21, 1), ceiling(-1.27, 1), ceil(121.5, -1), ceil(1.2, 0), ceil(99.99, 1)',
      ['1.3', '-1.2', 130, 2, '100.0'],
    ],
    [
      "select charindex('b', 'abcb', 3), charindex('b', 'abcb', 1), charindex('b', 'abcb', 9), charindex('b', null, 2)",
      [4, 2, 0, null],
    ],
    ["select position('b', 'abcb', 3)", [4]],
    ["select concat('a'), concat(1)", ['a', '1']],
    [`select count(distinct a, b), count(a, b) from ${pairs}`, [2, 3]],
    [
      "select regexp_like('ABC', 'a.*', 'i'), regexp_like('ABC', 'a.*', 'c'), regexp_like('ABC', 'a.*')",
      [true, false, false],
    ],
    ["select rlike('abc', 'a.*'), not rlike('abc', 'b'), 'abc' rlike 'a.*'", [true, true, true]],
    [
      "select last_day('2026-07-15'::date, 'week'), last_day('2026-05-15'::date, quarter), last_day('2026-05-15'::date, 'year')",
      ['2026-07-19', '2026-06-30', '2026-12-31'],
    ],
    [
      "select last_day('2024-02-15'::date, 'month'), last_day('2024-02-15'::date)",
      ['2024-02-29', '2024-02-29'],
    ],
    [`select listagg(distinct x, '|') within group (order by x) from ${numbers}`, ['9|10']],
    [`select listagg(distinct x, '|') within group (order by x desc) from ${numbers}`, ['10|9']],
    [`select listagg(distinct x, '|') within group (order by x) from ${numbers} where x > 99`, ['']],
    [`select array_agg(distinct x) within group (order by x desc) from ${numbers}`, [[10, 9]]],
  ])('%s', async (sql, row) => {
    expect(JSON.parse(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse))).toEqual([row]);
  });

  test.each([
    ["regexp_substr('a', 'a', 1, 1, 'm')", 'the parameters "m" of REGEXP_SUBSTR'],
    ["regexp_substr('a', '^a', 2)", 'a position in REGEXP_SUBSTR with ^ or a boundary in the pattern'],
    ["regexp_substr('a', '(a)?|(b)', 1, 1, 'e')", 'a group that may have no part in the match'],
    ["regexp_substr('a', '(a)', 1, 1, 'e', 2)", 'these arguments of REGEXP_SUBSTR'],
    ["regexp_replace('a', 'a', 'c', 1, 2)", 'REGEXP_REPLACE of only a later match than the first'],
    ["'a' like any ('a', upper('b'))", 'a pattern of LIKE ANY that is not a literal'],
    ["'a' not like any ('a')", 'NOT LIKE ANY'],
    ["'a' ilike all ('a')", 'ILIKE ALL'],
    ['array_agg(1) over (order by 1)', 'ARRAY_AGG with ORDER BY in OVER'],
    ["object_agg('a', 1)", 'OBJECT_AGG of a value that is not a VARIANT'],
    ["object_construct(f.*) from table(flatten(parse_json('[1]'))) f", '* over FLATTEN'],
    ['count(o.*) from orders o', 'COUNT(*) with a table or excluded columns'],
    ["regexp_like('a', 'b', 'im')", 'these arguments of REGEXP_LIKE'],
    ["to_number('1.25', '9.99', 3, 1)", 'these arguments of TO_NUMBER'],
    ["to_number('1', 3, 1, 1)", 'these arguments of TO_NUMBER'],
    ["initcap('a', ' ')", 'INITCAP with 2 arguments'],
    ["round(1.25, 1, 'HALF_TO_EVEN')", 'ROUND with 3 arguments'],
    ['random(3)', 'RANDOM with 1 argument'],
    ["parse_json('1', 's')", 'PARSE_JSON with 2 arguments'],
    ['floor(1.27::float, 1)', 'these arguments of FLOOR'],
    ["charindex('', 'a', 2)", 'these arguments of CHARINDEX'],
    ["last_day('2026-07-15'::date, 'day')", 'these arguments of LAST_DAY'],
    ["like('abc', 'a%')", 'the function LIKE'],
    ['count(distinct *) from orders', 'COUNT(DISTINCT *)'],
    [
      'listagg(distinct name) within group (order by id) from orders',
      'LISTAGG(DISTINCT …) with an ORDER BY of a value other than the argument',
    ],
    [
      'array_agg(distinct name) within group (order by id) from orders',
      'ARRAY_AGG(DISTINCT …) with an ORDER BY of a value other than the argument',
    ],
  ])('%s is refused', async (expression, construct) => {
    const failure: unknown = await rowsOf(`select ${expression}`, 'WAREHOUSE_ONE', warehouse).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({ construct });
  });

  test.each([
    ['floor(1, 2, 3)', 'FLOOR takes 1 to 2 arguments, not 3'],
    ["left('a')", 'LEFT takes 2 arguments, not 1'],
    ["regexp_substr('a')", 'REGEXP_SUBSTR takes 2 to 6 arguments, not 1'],
    ['concat()', 'CONCAT takes at least 1 argument, not 0'],
    ['concat_ws()', 'CONCAT_WS takes at least 2 arguments, not 0'],
  ])('%s is an error', async (expression, message) => {
    const failure: unknown = await rowsOf(`select ${expression}`, 'WAREHOUSE_ONE', warehouse).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(SqlError);
    expect(failure).toMatchObject({ message: `query.sql:1:8: ${message}` });
  });

  const valueOf = (expression: string) => rowsOf(`select ${expression}`, 'WAREHOUSE_ONE', warehouse);

  test.each([
    'parse_json(\'{"t":1700000000}\'):t::timestamp',
    'to_timestamp(parse_json(\'{"t":"1700000000"}\'):t)',
    "year(d) from (select parse_json('1700000000000') as d) t",
    "try_to_date(d) from (select parse_json('1700000000') as d) t",
  ])('%s is refused: it is a time since 1970 in the warehouse', async (expression) => {
    await expect(valueOf(expression)).rejects.toThrow(
      /a number in semi-structured data as a date or timestamp/,
    );
  });

  test('NaN in semi-structured data is refused', async () => {
    await expect(valueOf("to_variant('NaN'::float)")).rejects.toThrow(/NaN or an infinite number/);
    expect(await valueOf('to_variant(null::float), to_variant(1.5::float)')).toBe('[[null,1.5]]');
  });

  test.each([
    'create table r2 ("id" number, ID number)',
    'create or replace table "orders" (id number)',
    'create or replace view "orders" as select 1 a',
    'create view v (a, "a") as select 1, 2',
  ])('%s is refused: the names differ in case only', async (sql) => {
    const failure: unknown = await runScript(sql, 'WAREHOUSE_ONE', warehouse).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({
      message: expect.stringContaining('differ only in upper and lower case'),
    });
  });
});

describe('WAREHOUSE_TWO', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_TWO');
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });
  const failureOf = (expression: string): Promise<unknown> =>
    rowsOf(`select ${expression}`, 'WAREHOUSE_TWO', warehouse).catch((error: unknown) => error);

  test.each([
    ['floor(1.27, 1)', 'FLOOR takes 1 argument, not 2'],
    ["concat('a', 'b', 'c')", 'CONCAT takes 2 arguments, not 3'],
    ["charindex('a', 'b', 1)", 'CHARINDEX takes 2 arguments, not 3'],
    ['count(distinct 1, 2)', 'COUNT takes 0 to 1 argument, not 2'],
  ])('%s is an error', async (expression, message) => {
    expect(await failureOf(expression)).toMatchObject({
      name: 'SqlError',
      message: `query.sql:1:8: ${message}`,
    });
  });

  test('IS UNKNOWN is IS NULL of a condition', async () => {
    const sql =
      'select b is unknown, b is not unknown from (select true b union all select null) q order by b';
    expect(await rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).toBe('[[false,true],[true,false]]');
    expect(await failureOf('1 is unknown')).toMatchObject({ construct: 'INTEGER as a condition' });
  });

  test("to_date('2026', 'YYYY', true) is refused", async () => {
    const failure = await failureOf("to_date('2026', 'YYYY', true)");
    expect(failure).toMatchObject({ name: 'Refusal', construct: 'TO_DATE with 3 arguments' });
  });
});
