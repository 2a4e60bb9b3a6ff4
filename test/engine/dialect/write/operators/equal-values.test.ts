import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
  await runScript(
    `create table docs (id int, doc variant);
     insert into docs select 1, parse_json('{"a": 1, "b": [1.0, {"y": 2.50, "x": null}]}');
     insert into docs select 2, parse_json('{ "b" : [1, {"x": null, "y": 2.5}], "a": 1.0 }');
     insert into docs select 3, parse_json('{"a": "1", "b": [1, {"x": null, "y": 2.5}]}');`,
    'WAREHOUSE_ONE',
    warehouse,
  );
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

describe('semi-structured values with other texts are equal', () => {
  test.each([
    ['in GROUP BY', 'select count(*) as n from docs group by doc order by n', '[[1],[2]]'],
    ['in DISTINCT', 'select count(*) from (select distinct doc from docs)', '[[2]]'],
    ['in COUNT(DISTINCT)', 'select count(distinct doc), count(distinct doc:b) from docs', '[[2,1]]'],
    ['in UNION', 'select count(*) from (select doc from docs union select doc from docs)', '[[2]]'],
    ['in EXCEPT', 'select doc from docs where id = 1 except select doc from docs where id = 2', '[]'],
    [
      'in PARTITION BY',
      'select id, row_number() over (partition by doc order by id) from docs order by id',
      '[[1,1],[2,2],[3,1]]',
    ],
    [
      'in a join',
      'select a.id, b.id as other from docs a join docs b on a.doc = b.doc and a.id < b.id',
      '[[1,2]]',
    ],
    ['in USING', 'select count(*) from docs join docs as others using (doc)', '[[5]]'],
    [
      'in IN',
      'select id from docs where doc in (select doc from docs where id = 2) order by id',
      '[[1],[2]]',
    ],
    ['with <>', 'select id from docs where doc <> (select doc from docs where id = 1)', '[[3]]'],
    [
      'of items and paths',
      'select count(distinct f.value), count(distinct doc:b[0]) from docs, lateral flatten(input => doc:b) f',
      '[[2,1]]',
    ],
  ])('%s', async (_title, sql, expected) => {
    expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(expected);
  });
});

test.each([
  ["parse_json('1')", "parse_json('1.0')"],
  ["parse_json('1')", 'to_variant(1.00)'],
  ["parse_json('1')", '1::float::variant'],
  ["parse_json('0.1')", '0.10::number(10, 2)::variant'],
  ["parse_json('0')", "parse_json('-0.0')"],
  ["parse_json('1e300')", "parse_json('[1e+300]')[0]"],
  ["parse_json('0.0000001')", 'parse_json(\'{"a": 1e-7}\'):a'],
  ["parse_json('100000000000000000000')", "parse_json('[100000000000000000000]')[0]"],
  ['parse_json(\'"\\\\u001f/\\\\u00fc"\')', 'parse_json(\'["\\\\u001F\\\\/ü"]\')[0]'],
  ["parse_json('[1, 2.0]')", 'array_construct(1.0, 2)'],
  ['parse_json(\'{"b": 1, "a": 2}\')', "object_construct('a', 2.0, 'b', 1)"],
  ["parse_json('[1.5]')", '(select array_agg(v) from (values (1.50)) as t(v))'],
  ['try_parse_json(\'{"b":1,"a":2}\')', 'parse_json(\'{"a":2,"b":1}\')'],
])('%s equals %s', async (left, right) => {
  expect(await rowsOf(`select ${left} = ${right} as x`, 'WAREHOUSE_ONE', warehouse)).toBe('[[true]]');
});

test.each([
  ["parse_json('1')", 'parse_json(\'"1"\')'],
  ["parse_json('[1, 2]')", "parse_json('[2, 1]')"],
  ["parse_json('12345678901234567890')", "parse_json('12345678901234567891')"],
  ["parse_json('{}')", "parse_json('[]')"],
])('%s does not equal %s', async (left, right) => {
  expect(await rowsOf(`select ${left} = ${right} as x`, 'WAREHOUSE_ONE', warehouse)).toBe('[[false]]');
});

test('a text that is not JSON is an error of PARSE_JSON, and NULL for TRY_PARSE_JSON', async () => {
  await expect(rowsOf("select parse_json('{a') as x", 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
    /not valid JSON/,
  );
  expect(await rowsOf("select try_parse_json('{a') as x", 'WAREHOUSE_ONE', warehouse)).toBe('[[null]]');
});
