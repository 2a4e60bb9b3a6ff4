import { expect, test } from 'vitest';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

const digits = '12345678901234567890123456789012345678';

test.each([digits, `-${digits}`, `0.${digits.slice(1)}`, '0.10000000000000000000000000000000000000000'])(
  'a number of up to 38 digits in JSON keeps them: %s',
  async (number) => {
    await using warehouse = await openOrders('WAREHOUSE_ONE');
    const kept = number.replace(/(\.\d*?)0+$/, '$1');
    const sql = `select parse_json('${number}')::varchar`;
    expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(JSON.stringify([[kept]]));
  },
);

test.each([`${digits}9`, `${digits}.5`, `-${digits}9`, `0.0000${digits}`])(
  'a number of more than 38 digits in JSON is refused: %s',
  async (number) => {
    await using warehouse = await openOrders('WAREHOUSE_ONE');
    for (const json of [number, `{"a": [${number}]}`])
      await expect(rowsOf(`select parse_json('${json}')`, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
        /more than 38 digits in semi-structured data/,
      );
  },
);

test('WAREHOUSE_ONE: arrays and objects keep the digits of decimals that they are made of', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const long = '12345678901234567.25';
  for (const [sql, json] of [
    [`array_construct(${long})`, `[${long}]`],
    [`array_construct(${long}, 'a', null, 0.5)`, `[${long},"a","\\u0000undefined",0.5]`],
    [`array_append(array_construct(${long}), ${long})`, `[${long},${long}]`],
    [`array_append(array_construct(), ${long})`, `[${long}]`],
    [`array_cat(array_construct(${long}), array_construct(1, ${long}))`, `[${long},1,${long}]`],
    [`array_cat(array_construct(), array_construct(${long}))`, `[${long}]`],
    [`array_cat(array_construct(${long}), array_construct())`, `[${long}]`],
    ['array_cat(array_construct(), array_construct())', '[]'],
    [`object_construct('a', ${long})`, `{"a":${long}}`],
    [`to_array(${long})`, `[${long}]`],
    [`${long}::array`, `[${long}]`],
    [`${long}::variant::array`, `[${long}]`],
    ['to_array(0.12345678901234567)', '[0.12345678901234567]'],
    ["to_array('a')", '["a"]'],
    ["to_array(object_construct('a', 1))", '[{"a":1}]'],
    ['array_construct(0.12345678901234567)', '[0.12345678901234567]'],
    ['array_construct(-0.12345678901234567)', '[-0.12345678901234567]'],
    ["object_construct('a', 0.12345678901234567)", '{"a":0.12345678901234567}'],
    ['0.12345678901234567::variant', '0.12345678901234567'],
    ['array_agg(v) from (select 0.12345678901234567 as v)', '[0.12345678901234567]'],
    [`array_agg(v) from (select array_construct(${long}) as v)`, `[[${long}]]`],
    ['array_agg(v) from (select 1.50 as v where false)', '[]'],
    ['null::number(5, 5)::variant', null],
  ] as const) {
    const cast = sql.includes(' from ') ? sql.replace(' from ', ' as a from ') : `${sql} as a`;
    await runScript(`create or replace table long as select ${cast}`, 'WAREHOUSE_ONE', warehouse);
    const { rows } = await warehouse.query('SELECT CAST("A" AS VARCHAR) FROM "DB.S"."LONG"', { maxRows: 1 });
    expect(rows, sql).toEqual([[json]]);
  }
});
