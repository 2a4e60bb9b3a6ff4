import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceText } from '../../../../engine/core/source-text.ts';
import { translateQuery } from '../../../../engine/dialect/translate.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { contextOf, openOrders, rowsOf, runScript } from './orders.ts';

/** An array with an SQL NULL, and one with a JSON null. */
const SQL_NULL = 'array_construct(1, null, 2)';
const JSON_NULL = "parse_json('[1,null,2]')";
/** An SQL NULL that is known only when the statement runs. */
const LATE_NULL = 'array_construct(1, (select max(x) from (select 1 as x) t where x > 1), 2)';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

const valueOf = (expression: string) => rowsOf(`select ${expression}`, 'WAREHOUSE_ONE', warehouse);

describe('an SQL NULL in an array', () => {
  test.each([
    // Taken out of the array.
    [`${SQL_NULL}[1] is null`, true],
    [`${LATE_NULL}[1] is null`, true],
    [`${JSON_NULL}[1] is null`, false],
    [`get(${SQL_NULL}, 1) is null`, true],
    [`get(${JSON_NULL}, 1) is null`, false],
    ['a[0] is null from (select array_construct(null::variant) as a) t', true],
    [`coalesce(${SQL_NULL}[1], 9)`, 9],
    [`coalesce(${JSON_NULL}[1], 9)`, null],
    [`nvl(get(${SQL_NULL}, 1), 9) || '/' || nvl2(${SQL_NULL}[1], 'set', 'not set')`, '9/not set'],
    [`equal_null(${SQL_NULL}[1], null)`, true],
    [`equal_null(${JSON_NULL}[1], null)`, false],
    [`typeof(${SQL_NULL}[1])`, null],
    [`typeof(${JSON_NULL}[1])`, 'NULL_VALUE'],
    [`is_null_value(${SQL_NULL}[1])`, null],
    [`is_null_value(${JSON_NULL}[1])`, true],
    [`to_json(${SQL_NULL}[1])`, null],
    [`${SQL_NULL}[1]::varchar`, null],
    [`${SQL_NULL}[1] + 1`, null],
    [`to_array(${SQL_NULL}[1])`, null],
    [`${SQL_NULL}[1]:a.b`, null],
    ["object_construct('k', array_construct(null)):k[0] is null", true],
    ['array_construct(array_construct(1, null), 2)[0][1] is null', true],
    ["parse_json('null') is null", false],
    ["array_construct(parse_json('null'))[0] is null", false],
    ["object_construct('a', null, 'b', parse_json('null'))", { b: null }],
    // What functions of arrays do with it.
    [`array_size(${SQL_NULL})`, 3],
    [`typeof(${SQL_NULL})`, 'ARRAY'],
    ['array_append(array_construct(1), null)[1] is null', true],
    [`array_append(array_construct(1), ${JSON_NULL}[1])[1] is null`, false],
    [`array_cat(${JSON_NULL}, ${SQL_NULL})[1] is null`, false],
    [`array_cat(${JSON_NULL}, ${SQL_NULL})[4] is null`, true],
    [`array_contains(null::variant, ${SQL_NULL})`, true],
    [`array_contains(null::variant, ${JSON_NULL})`, null],
    [`array_contains(null::variant, array_construct(1))`, null],
    [`array_contains(parse_json('null'), ${SQL_NULL})`, false],
    [`array_contains(parse_json('null'), ${JSON_NULL})`, true],
    [`array_contains(2::variant, ${SQL_NULL})`, true],
    [`array_to_string(${SQL_NULL}, '|')`, '1||2'],
    ["array_to_string(array_construct(null), '|')", ''],
    [
      `to_json(array_agg(x)) from (select case n when 1 then ${SQL_NULL}[1] when 2 then 2::variant else ${JSON_NULL}[1] end as x from (values (1), (2), (3)) v (n)) t`,
      '[2,null]',
    ],
    [`array_agg(a)[0][1] is null from (select ${SQL_NULL} as a) t`, true],
    // As text, and back.
    [`to_json(${SQL_NULL})`, '[1,undefined,2]'],
    [`${SQL_NULL}::varchar || to_varchar(${JSON_NULL})`, '[1,undefined,2][1,null,2]'],
    [`${SQL_NULL} = '[1,undefined,2]'`, true],
    [`listagg(a) from (select object_construct('k', ${SQL_NULL}) as a) t`, '{"k":[1,undefined,2]}'],
    [`parse_json(to_json(${SQL_NULL})) = ${SQL_NULL}`, true],
    ["parse_json('[undefined]')[0] is null", true],
    ["parse_json('[1, ,77]')[1] is null", true],
    ["to_json(try_parse_json('[1,]'))", '[1,undefined]'],
    ['to_json(parse_json(\'[,{"a":null},[]]\'))', '[undefined,{"a":null},[]]'],
    ['parse_json(\'["undefined"]\')[0]', 'undefined'],
    ['to_json(parse_json(\'["undefined"]\'))', '["undefined"]'],
    // Equality.
    [`${SQL_NULL} = ${SQL_NULL}`, true],
    [`${SQL_NULL} = ${JSON_NULL}`, false],
    [`count(*) from (select ${SQL_NULL} as a union select ${LATE_NULL} union select ${JSON_NULL}) t`, 2],
  ])('%s is %j', async (expression, expected) => {
    expect(await valueOf(expression)).toBe(JSON.stringify([[expected]]));
  });

  test.each([
    [`table(flatten(${SQL_NULL})) f`, [2, 2, '0,2']],
    [`table(flatten(${JSON_NULL})) f`, [3, 3, '0,1,2']],
    ['table(flatten(array_construct(null))) f', [0, 0, '']],
    ['table(flatten(input => array_construct(null), outer => true)) f', [1, 0, '']],
  ])('%s has no row for it, as for a missing element', async (from, expected) => {
    const sql = `select count(*), count(f.value), listagg(f.index, ',') within group (order by f.index) from ${from}`;
    expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(JSON.stringify([expected]));
  });

  test('stays one in a table, beside a JSON null', async () => {
    const sql = `create or replace table stored (id int, a variant); insert into stored select 1, ${LATE_NULL}; insert into stored select 2, ${JSON_NULL}`;
    await runScript(sql, 'WAREHOUSE_ONE', warehouse);
    const read = 'select id, a[1] is null, a from stored order by id';
    const query = translateQuery(sourceText(read, 'query.sql'), contextOf('WAREHOUSE_ONE', warehouse));
    const { rows } = await warehouse.query(query.sql, { maxRows: 10 });
    expect(rows).toEqual([
      [1, true, [1, undefined, 2]],
      [2, false, [1, null, 2]],
    ]);
  });

  test('ARRAY_TO_STRING of a JSON null is refused: the warehouse fails too', async () => {
    await expect(valueOf(`array_to_string(${JSON_NULL}, '|')`)).rejects.toThrow(
      /ARRAY_TO_STRING of a JSON null/,
    );
    expect(await valueOf(`array_to_string(parse_json('[{"a":null},[null]]'), '|')`)).toBe(
      JSON.stringify([['{"a":null}|[null]']]),
    );
  });
});
