import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
});
afterAll(() => warehouse[Symbol.asyncDispose]());
const rows = async (sql: string) => JSON.parse(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)) as unknown;

test.each([
  [`parse_json('{"a":1}'):a::array`, [1]],
  ["parse_json('[1,2]')::array", [1, 2]],
  ["array_size(parse_json('7')::array)", 1],
  [`array_to_string(parse_json('"x"')::array, ',')`, 'x'],
  ["'[1]'::array", ['[1]']],
  ["object_construct('a', 1)::array", [{ a: 1 }]],
  ['null::array', null],
  ["parse_json('null')::array", null],
  ["to_array(parse_json('null'))", null],
  [`parse_json('{"a":1}')::object`, { a: 1 }],
  ["parse_json('null')::object", null],
  ['null::object', null],
])('%s is %j', async (expression, value) => {
  expect(await rows(`select ${expression}`)).toEqual([[value]]);
});

test.each([
  ["parse_json('[1]')::object", /cannot be cast to OBJECT/],
  ["parse_json('7')::object", /cannot be cast to OBJECT/],
  ['array_construct(1)::object', /cannot be cast to OBJECT/],
  ["parse_json('[1]')::array::object", /ARRAY cannot be cast to OBJECT/],
  ["'{}'::object", /VARCHAR\(2\) cannot be cast to OBJECT/],
])('%s fails', async (expression, message) => {
  await expect(rows(`select ${expression}`)).rejects.toThrow(message);
});

describe('a column of ARRAY or OBJECT', () => {
  const insert = async (type: string, value: string) => {
    await using freshWarehouse = await openOrders('WAREHOUSE_ONE');
    const script = `create table shaped (v ${type}); insert into shaped select ${value}`;
    await runScript(script, 'WAREHOUSE_ONE', freshWarehouse);
    return JSON.parse(await rowsOf('select v from shaped', 'WAREHOUSE_ONE', freshWarehouse)) as unknown;
  };

  test.each([
    ['array', "parse_json('7')", [7]],
    ['array', 'array_construct(1, 2)', [1, 2]],
    ['array', "parse_json('{}')::array", [{}]],
    ['array', 'null', null],
    ['object', "object_construct('a', 1)", { a: 1 }],
    ['variant', "parse_json('7')", 7],
  ])('%s takes %s as %j', async (type, value, stored) => {
    expect(await insert(type, value)).toEqual([[stored]]);
  });

  test.each([
    ['array', "object_construct('a', 1)", /an object in a column of the type ARRAY/],
    [
      'array',
      "object_construct('a', 1)::object",
      /the column has the type ARRAY, but the value has the type OBJECT/,
    ],
    ['array', '7', /the column has the type ARRAY, but the value has the type NUMBER/],
    ['object', "parse_json('7')", /cannot be cast to OBJECT/],
    ['object', 'array_construct(1)', /cannot be cast to OBJECT/],
  ])('%s refuses %s', async (type, value, message) => {
    await expect(insert(type, value)).rejects.toThrow(message);
  });
});

test.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)(
  '%s: a BINARY with a length is refused, because nothing checks it',
  async (kind) => {
    await using freshWarehouse = await openOrders(kind);
    await expect(runScript('create table bytes (b binary(1))', kind, freshWarehouse)).rejects.toThrow(
      /Millrace does not support BINARY\(1\)/,
    );
  },
);

const both = ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const;

test.each([
  ['v varchar default true', both],
  ['v int default true', both],
  // The second kind reads the literal as a boolean, as PostgreSQL does.
  ["v boolean default 'yes'", ['WAREHOUSE_ONE']],
  ['v boolean default 1', both],
] as const)('a default of another type is refused: %s', async (column, kinds) => {
  for (const kind of kinds) {
    await using freshWarehouse = await openOrders(kind);
    await expect(runScript(`create table o (${column}, k int)`, kind, freshWarehouse)).rejects.toThrow(
      /but its default value|is expected/,
    );
  }
});
