import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from '../orders.ts';

describe.each<[WarehouseKind, readonly (readonly [expression: string, value: string | number | null])[]]>([
  [
    'WAREHOUSE_ONE',
    [
      ['2 / 3', '0.666667'],
      ["parse_json('7.4999999999999999')::int", 7],
      ["parse_json('12345678901234567.25')::varchar", '12345678901234567.25'],
      ["parse_json('7.4999999999999999')::number(20, 16) + 0", '7.4999999999999999'],
      ['-0.25::number(4, 4)', '-0.2500'],
      ['-5.00 / 8 / 3', '-0.208333333333'],
      ['case when 0.5::float < 1 then 7 / 2 end', '3.500000'],
      ['-2 / 3', '-0.666667'],
      ['12345678901234567890123456 / 7', '1763668414462081127160493.714286'],
      ['1.2345678901 / 3', '0.411522630033'],
      ['null::number / 0', null],
      ['null::float / 0', null],
      ['0.3 / 0.1', '3.0000000'],
      ['1.000000001 * 1.000000001', '1.000000002000'],
      ['123456789.123456789 * 987654321.987654321', '121932631356500531.347203169113'],
      ['99999999.99 * 9999999999.99', '999999999899000000.0001'],
      ['999999999999999999 * 1000', '999999999999999999000'],
      ['999999999999999.99::number(17, 2) + 999.999::number(6, 3)', '1000000000000999.989'],
      ['-999999999999999999::number(18, 0) - 9', '-1000000000000000008'],
      ['7.55::number(38, 2) % 2.1::number(38, 1)', '1.25'],
      ['-12345678901234567890.07 % 10', '-0.07'],
      ['null::number % 0', null],
      ['div0(12345678901234567890, 7)', '1763668414462081127.142857'],
      [
        '(select avg(v) from (values (0.07), (0.07), (9007199254740993.07)) as t(v))',
        '3002399751580331.07000000',
      ],
      ['(select avg(distinct v) from (values (1), (1), (2)) as t(v))', '1.500000'],
      ['(select avg(v) from (values (null::number)) as t(v))', null],
      ['(select median(v) from (values (0.01), (0.02)) as t(v))', '0.01500'],
      [
        '(select median(v) from (values (9007199254740993.01), (9007199254740993.03), (1)) as t(v))',
        '9007199254740993.01000',
      ],
      ['(select median(v) from (values (null::number)) as t(v))', null],
    ],
  ],
  [
    'WAREHOUSE_TWO',
    [
      ["'12345678901234567.25'::decimal(20, 2)::super::decimal(20, 2)", '12345678901234567.25'],
      // A text is rounded, also from a column; the digits of a DECIMAL in a column are cut.
      ["'0.005'::decimal(10, 2)", '0.01'],
      ["(select max(v::decimal(10, 2)) from (select '0.005'::varchar as v) as t)", '0.01'],
      ["(select min(v::decimal(10, 2)) from (select '-1.005'::varchar as v) as t)", '-1.01'],
      ["(select '4.499'::varchar::decimal(10, 1))", '4.5'],
      ['2.0 / 3', '0.666666666667'],
      ['12345678901234567890.00 / 3.0', '4115226300411522630.0000'],
      ['99999999.99 * 9999999999.99', '999999999899000000.0001'],
      ['null::int / 0', null],
      ['7.55::decimal(38, 2) % 2.1::decimal(38, 1)', '1.25'],
      ['(select avg(v) from (select 1 as v union all select 2 union all select null) as t)', 1],
      ['(select avg(v) from (select -1 as v union all select -2) as t)', -1],
      [
        '(select avg(v) from (select 9007199254740993 as v union all select 9007199254740993) as t)',
        '9007199254740993',
      ],
      ['(select avg(v) from (select 0.07 as v union all select 0.08) as t)', '0.08'],
    ],
  ],
])('%s computes exact numbers', (kind, expressions) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each(expressions)('%s', async (expression, value) => {
    const rows = JSON.parse(await rowsOf(`select cast(${expression} as varchar) as x`, kind, warehouse));
    expect(rows).toEqual([[value === null ? null : String(value)]]);
  });

  test.each(['1 / 0', '1.5 / 0', '1 % 0', '1.5 % 0.0', '1::float / 0'])(
    '%s is an error',
    async (expression) => {
      await expect(rowsOf(`select ${expression} as x`, kind, warehouse)).rejects.toThrow(/Division by zero/);
    },
  );

  test('a quotient of more than 38 digits is an error', async () => {
    const sql = 'select 99999999999999999999999999999999999999 / 0.5 as x';
    await expect(rowsOf(sql, kind, warehouse)).rejects.toThrow(/more than 38 digits|out of range/i);
  });
});
