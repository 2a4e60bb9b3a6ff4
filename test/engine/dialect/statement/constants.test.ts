import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
  const tables = 'create table o (v variant); create table a (v array); create table b (v object)';
  await runScript(`${tables}; create table t (v varchar)`, 'WAREHOUSE_ONE', warehouse);
});
afterAll(() => warehouse[Symbol.asyncDispose]());

describe('WAREHOUSE_ONE: VALUES takes constants only', () => {
  test.each([
    ["insert into o values (parse_json('{}'))", 'PARSE_JSON'],
    ["insert into o values (try_parse_json('{}'))", 'TRY_PARSE_JSON'],
    ['insert into o values (to_variant(1))', 'TO_VARIANT'],
    ['insert into o values (1::variant)', 'a cast to VARIANT'],
    ['insert into o values (cast(null as variant))', 'a cast to VARIANT'],
    ['insert into a values (array_construct(1))', 'ARRAY_CONSTRUCT'],
    ["insert into a values (split('a,b', ','))", 'SPLIT'],
    ["insert into a values (parse_json('[1]')::array)", 'a cast to ARRAY'],
    ["insert into b values (object_construct('a', 1))", 'OBJECT_CONSTRUCT'],
    ["insert into o values (parse_xml('<a/>'))", 'PARSE_XML'],
    ["insert into t values ('x'), (parse_json('{\"a\": 1}'):a::varchar)", 'PARSE_JSON'],
  ])('%s', async (statement, what) => {
    await expect(runScript(statement, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
      `VALUES cannot contain ${what}, because the warehouse accepts only constants there; write INSERT … SELECT`,
    );
  });

  test('also in FROM', async () => {
    const query = "select * from values (parse_json('[1]')) as t(v)";
    await expect(rowsOf(query, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
      'VALUES cannot contain PARSE_JSON, because the warehouse accepts only constants there; write SELECT … UNION ALL SELECT …',
    );
  });

  test('INSERT … SELECT takes them', async () => {
    const script = 'insert into o select parse_json(\'{"a": 1}\') union all select to_variant(2)';
    await runScript(script, 'WAREHOUSE_ONE', warehouse);
    expect(await rowsOf('select count(v) from o', 'WAREHOUSE_ONE', warehouse)).toBe('[[2]]');
  });

  test('NULL, texts, numbers and plain expressions are constants', async () => {
    await runScript(
      "insert into t values (null), (upper('x') || 'y'); insert into t values (1 + 1)",
      'WAREHOUSE_ONE',
      warehouse,
    );
    await runScript('delete from o; insert into o values (null)', 'WAREHOUSE_ONE', warehouse);
    expect(await rowsOf('select count(*) from t', 'WAREHOUSE_ONE', warehouse)).toBe('[[3]]');
  });
});
