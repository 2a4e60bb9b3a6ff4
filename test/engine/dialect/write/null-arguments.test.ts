import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

const NO_NUMBER = '(select max(1) from (select 1 x) t where x > 1)';
const NO_TEXT = "(select max('x') from (select 1 x) t where x > 1)";

const both = [
  "left('abc', null)",
  `left('abc', ${NO_NUMBER})`,
  `left('abc', position(' ' in ${NO_TEXT}) - 1)`,
  `right('abc', ${NO_NUMBER})`,
  `substr('abc', 1, ${NO_NUMBER})`,
  `substring('abc', 9, ${NO_NUMBER})`,
  `lpad('a', ${NO_NUMBER}, 'x')`,
  `rpad('a', ${NO_NUMBER})`,
  `lpad('a', 3, ${NO_TEXT})`,
  `repeat('a', ${NO_NUMBER})`,
  `replace('abc', ${NO_TEXT}, 'x')`,
  `replace('abc', 'a', ${NO_TEXT})`,
  `split_part('a.b', ${NO_TEXT}, 1)`,
  `concat('a', ${NO_TEXT})`,
  `coalesce(${NO_TEXT}, null)`,
];

const onlyOne = [
  `substr('abc', ${NO_NUMBER})`,
  `substr('abc', -4, ${NO_NUMBER})`,
  `substr(${NO_TEXT}, -4)`,
  "split('a', null::varchar)",
  `split(${NO_TEXT}, ',')`,
  "position(null::varchar in 'a')",
  "charindex(null, 'a')",
  'array_append(null::variant, 1)',
  'array_cat(array_construct(1), null::variant)',
  'array_cat(null::variant, array_construct(1))',
  "array_to_string(null::variant, ',')",
  "array_to_string(array_construct('a'), null)",
  "array_contains('a'::variant, null::variant)",
  'array_size(null::variant)',
  'object_keys(null::variant)',
  'to_array(null::variant)',
  'greatest(1, null)',
  'least(null, 1)',
  "concat_ws(',', 'a', null)",
  'initcap(null)',
  `regexp_substr(${NO_TEXT}, 'a', 1, 2)`,
  `regexp_count(${NO_TEXT}, 'a')`,
  `regexp_replace(${NO_TEXT}, 'a', 'x', 1, 1)`,
  `${NO_TEXT} like any ('a', 'b')`,
];

describe.each([
  ['WAREHOUSE_ONE', [...both, ...onlyOne]],
  ['WAREHOUSE_TWO', both],
] as const)('%s', (kind: WarehouseKind, expressions) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each(expressions)('%s is NULL', async (expression) => {
    expect(await rowsOf(`select ${expression} as x`, kind, warehouse)).toBe('[[null]]');
  });
});
