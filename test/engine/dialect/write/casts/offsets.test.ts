import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
  const script = `
    create table moments (x timestamp_tz, l timestamp_ltz);
    insert into moments select '2024-01-31 23:30:00 -0500'::timestamp_tz, '2024-01-31 10:00:00'::timestamp_ntz;
    create table loads as select current_timestamp() as loaded, x from moments;
    create view seen (loaded, x) as select loaded, x from loads;
  `;
  await runScript(script, 'WAREHOUSE_ONE', warehouse);
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

const query = (sql: string) => rowsOf(`select ${sql}`, 'WAREHOUSE_ONE', warehouse);

describe('of a TIMESTAMP_TZ whose offset is not kept', () => {
  test.each([
    'hour(x)',
    'minute(x)',
    'year(x)',
    "date_part('dow', x)",
    'dayname(x)',
    'monthname(x)',
    'last_day(x)',
    'x::date',
    'x::timestamp_ntz',
    'to_date(x)',
    'x::varchar',
    "x || ''",
    "to_char(x, 'YYYY-MM-DD')",
    "date_trunc('day', x)",
    "date_trunc('hour', x)",
    'dateadd(month, 1, x)',
    'dateadd(year, 1, x)',
    'add_months(x, 1)',
    "x + interval '1 month'",
    'datediff(day, x, x)',
    'datediff(hour, x, current_timestamp())',
    'months_between(x, x)',
    'to_variant(x)',
    'array_construct(x)',
    "object_construct('x', x)",
    'array_agg(x)',
    'listagg(x)',
    'hour(coalesce(x, current_timestamp()))',
    'hour(max(x))',
    "convert_timezone('UTC', 'Asia/Tokyo', x)",
  ])('%s is refused', async (expression) => {
    for (const table of ['moments', 'loads', 'seen'])
      await expect(query(`${expression} as y from ${table}`)).rejects.toMatchObject({
        name: 'Refusal',
        construct: 'an expression that depends on the time zone offset of a TIMESTAMP_TZ',
        hint: expect.stringContaining("CONVERT_TIMEZONE('UTC', …)"),
      });
  });

  test.each([
    "hour('2024-01-31 23:30:00 -0500'::timestamp_tz)",
    "hour(t::timestamp_tz) from (select '2024-01-31 23:30:00' as t)",
    'hour(parse_json(\'{"t":"2024-01-31 23:30:00 -0500"}\'):t::timestamp_tz)',
    'hour(y) from (select x as y from moments union all select current_timestamp()) t',
  ])('%s is refused', async (expression) => {
    await expect(query(expression)).rejects.toMatchObject({ name: 'Refusal' });
  });

  test('INSERT of one into a TIMESTAMP_NTZ or text column is refused', async () => {
    const insert = (type: string) =>
      runScript(
        `create or replace table other (y ${type}); insert into other select x from moments`,
        'WAREHOUSE_ONE',
        warehouse,
      );
    await expect(insert('timestamp_ntz')).rejects.toMatchObject({ name: 'Refusal' });
    await expect(insert('varchar')).rejects.toMatchObject({ name: 'Refusal' });
    await expect(insert('timestamp_ltz')).resolves.toBeUndefined();
  });

  test.each([
    ['x', '2024-02-01 04:30:00+00:00'],
    ['second(x)', 0],
    ['date_part(epoch_second, x)', 1706761800],
    ["date_trunc('minute', x) = x", true],
    ['dateadd(day, 1, x)', '2024-02-02 04:30:00+00:00'],
    ['dateadd(hour, -1, x)', '2024-02-01 03:30:00+00:00'],
    ["datediff(minute, x, '2024-02-01 04:32:10 +0000'::timestamp_tz)", 2],
    ["x = '2024-02-01 05:30:00 +0100'::timestamp_tz", true],
    ["x < '2024-02-01'::date", false],
    ['max(x)', '2024-02-01 04:30:00+00:00'],
    ["hour(convert_timezone('UTC', x))", 4],
    ["convert_timezone('UTC', x)::date", '2024-02-01'],
    ['hour(x::timestamp_ltz)', 4],
  ])('%s does not depend on it', async (expression, expected) => {
    expect(await query(`${expression} as y from moments`)).toBe(JSON.stringify([[expected]]));
  });
});

describe('the offset is known to be 0', () => {
  test.each([
    ['hour(current_timestamp())', 6],
    ['hour(l) from moments', 10],
    ['l::date from moments', '2024-01-31'],
    ['loaded::date from loads', '2024-05-05'],
    ['loaded::date from seen', '2024-05-05'],
    ["to_char(loaded, 'HH24') from (select max(loaded) as loaded from seen) t", '06'],
    ["hour('2024-01-31 23:30:00'::timestamp_tz)", 23],
    ["hour('2024-01-31 23:30:00 +00:00'::timestamp_tz)", 23],
    ["hour('2024-01-31 23:30:00Z'::timestamp_tz::timestamp_tz)", 23],
    ["'2024-01-31'::timestamp_tz::date", '2024-01-31'],
    ["day('2024-01-31'::date::timestamp_tz)", 31],
    ["hour('2024-01-31 23:30:00'::timestamp_ntz::timestamp_tz)", 23],
    ['hour(coalesce(null, l, current_timestamp())) from moments', 10],
    ["hour(y) from (select l as y from moments union all select '2024-01-31 10:00:00'::timestamp) t", 10],
  ])('%s is %j', async (expression, expected) => {
    const rows = JSON.parse(await query(expression)) as readonly (readonly unknown[])[];
    expect(rows[0]).toEqual([expected]);
  });
});

test('kind 2 has no offsets: its timestamps are in UTC', async () => {
  await using two = await openOrders('WAREHOUSE_TWO');
  const sql = "select date_part(hour, x) from (select '2024-01-31 23:30:00-05:00'::timestamptz as x) t";
  expect(await rowsOf(sql, 'WAREHOUSE_TWO', two)).toBe('[[4]]');
});
