import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Value, Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

const warehouses = new Map<WarehouseKind, Warehouse>();
beforeAll(async () => {
  for (const kind of ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)
    warehouses.set(kind, await openOrders(kind));
});
afterAll(async () => {
  for (const warehouse of warehouses.values()) await warehouse[Symbol.asyncDispose]();
});

async function rows(sql: string, kind: WarehouseKind = 'WAREHOUSE_ONE'): Promise<unknown> {
  const warehouse = warehouses.get(kind);
  if (warehouse === undefined) throw new Error('no warehouse');
  return JSON.parse(await rowsOf(sql, kind, warehouse));
}

const columns = ['v', 'w'].map((name) => ({ name, type: { name: 'VARIANT' } as const }));

/** A table of kind 2 with the semi-structured columns `v` and, where there are two values, `w`. */
async function fill(table: string, values: readonly (readonly Value[])[]): Promise<void> {
  const name = { database: 'db', schema: 's', table };
  await warehouses.get('WAREHOUSE_TWO')?.createTable(name, columns.slice(0, values[0]?.length), values);
}

/** A query over the values of a list, as the column V. */
const of = (values: string, rest: string, list = 'v') =>
  `select ${list} from (select value as v, index as i from table(flatten(parse_json('${values}')))) ${rest}`;

const numbers = '[10, 9, -1.5, -12, 0, 0.00123, 1e300, -1, 12345678901234567891, 12345678901234567890]';
const sorted = [
  '-12',
  '-1.5',
  '-1',
  '0',
  '0.00123',
  '9',
  '10',
  '12345678901234567890',
  '12345678901234567891',
  '1e300',
];

describe('ORDER BY semi-structured values', () => {
  test('orders numbers by value, also those that floating-point numbers cannot tell apart', async () => {
    // The text of 1e300 is refused.
    const shown = "case when v > 1e100 then '1e300' else to_json(v) end";
    expect(await rows(of(numbers, 'order by v', shown))).toEqual(sorted.map((text) => [text]));
  });

  test.each([
    ['an expression', 'order by v:a desc', [10, 9, 2]],
    ['a position', 'order by 1', [2, 9, 10]],
    ['an alias', 'order by x', [2, 9, 10]],
    ['an alias and a column that is not selected', 'order by x, i', [2, 9, 10]],
    ['a position and a limit', 'order by 1 desc limit 2', [10, 9]],
  ])('orders by %s', async (_title, order, expected) => {
    const ordered = await rows(of('[{"a":10},{"a":9},{"a":2}]', order, 'v:a as x'));
    expect(ordered).toEqual(expected.map((value) => [value]));
  });

  test('orders the distinct values, and the values of a union', async () => {
    expect(await rows(of('[10, 9, 10]', 'order by v', 'distinct v'))).toEqual([[9], [10]]);
    const union = `${of('[10]', '')} union all ${of('[9]', '')} order by 1`;
    expect(await rows(union)).toEqual([[9], [10]]);
  });

  test('orders texts by their characters, booleans, and NULL as the largest value', async () => {
    expect(await rows(of('["b", "B", "a\\\\"", "ä", "a"]', 'order by v'))).toEqual(
      ['B', 'a', 'a"', 'b', 'ä'].map((text) => [text]),
    );
    expect(await rows(of('[true, false]', 'order by v'))).toEqual([[false], [true]]);
    expect(await rows(of('[{"a": 1}, {}, {"a": 0}]', 'order by v:a', 'v:a'))).toEqual([[0], [1], [null]]);
  });

  test.each([
    ['different types', '[1, "a"]', 'different types'],
    ['lists', '[[1], [2]]', 'lists'],
    ['objects', '[{}, {}]', 'objects'],
    ['a JSON null', '[null, 1]', 'a JSON null'],
  ])('is refused for %s in kind 1, which documents no order of them', async (_title, values, what) => {
    await expect(rows(of(values, 'order by v'))).rejects.toThrow(
      `Millrace does not support ordering ${what} in semi-structured values`,
    );
  });

  test('a statement that failed for its types leaves nothing to the next one', async () => {
    await expect(rows(of('[1, "a"]', 'order by v'))).rejects.toThrow('different types');
    expect(await rows(of('["b", "a"]', 'order by v'))).toEqual([['a'], ['b']]);
  });

  test('orders types as kind 2 documents it: booleans, numbers, texts; a JSON null is NULL', async () => {
    await fill('mixed', [['a'], [2], [null], [true], [10], [false]]);
    expect(await rows('select v from mixed order by v', 'WAREHOUSE_TWO')).toEqual([
      [false],
      [true],
      [2],
      [10],
      ['a'],
      [null],
    ]);
  });
});

describe('comparisons of semi-structured values', () => {
  test.each([
    ['9', '<', '10', true],
    ['10', '<=', '9', false],
    ['"9"', '<', '"10"', false],
    ['-2', '>', '-10', true],
    ['true', '>=', 'false', true],
  ])('%s %s %s is %s', async (left, operator, right, expected) => {
    expect(await rows(`select parse_json('${left}') ${operator} parse_json('${right}') as x`)).toEqual([
      [expected],
    ]);
    await fill('pair', [[JSON.parse(left) as Value, JSON.parse(right) as Value]]);
    expect(await rows(`select v ${operator} w as x from pair`, 'WAREHOUSE_TWO')).toEqual([[expected]]);
  });

  test('of different types are NULL in kind 2, and refused in kind 1', async () => {
    await fill('pair', [[1, 'a']]);
    expect(await rows('select v < w as x from pair', 'WAREHOUSE_TWO')).toEqual([[null]]);
    await expect(rows(`select parse_json('1') < parse_json('"a"') as x`)).rejects.toThrow('different types');
  });

  test('BETWEEN compares values, not texts', async () => {
    expect(
      await rows(of('[10, 9, 2]', "where v between parse_json('3') and parse_json('11') order by i")),
    ).toEqual([[10], [9]]);
  });
});

describe('functions that depend on the order of semi-structured values', () => {
  test('windows order by the value', async () => {
    expect(await rows(of('[10, 9, 9]', 'order by i', 'rank() over (order by v)'))).toEqual([[3], [1], [1]]);
  });

  test.each(['[10, 9]', '["b", "a"]'])(
    'MIN and MAX of %s are the lowest and the highest of the values',
    async (values) => {
      const [high, low] = JSON.parse(values) as readonly unknown[];
      expect(await rows(of(values, '', 'min(v), max(v)'))).toEqual([[low, high]]);
      expect(await rows(of(values, 'order by i', 'max(v) over ()'))).toEqual([[high], [high]]);
    },
  );

  test('MAX of groups may have another type in each group', async () => {
    const sql = of(
      '[{"k":1,"v":10},{"k":1,"v":9},{"k":2,"v":"a"}]',
      'group by 1 order by 1',
      'v:k::int, max(v:v)',
    );
    expect(await rows(sql)).toEqual([
      [1, 10],
      [2, 'a'],
    ]);
    await expect(rows(of('[1, "a"]', '', 'max(v)'))).rejects.toThrow('different types');
  });

  test('WITHIN GROUP orders by the value', async () => {
    const listed = (name: string) => `${name} within group (order by v)`;
    expect(await rows(of('[10, 9]', '', listed("listagg(v, ',')")))).toEqual([['9,10']]);
    expect(await rows(of('[10, 9]', '', listed('array_agg(v)')))).toEqual([[[9, 10]]]);
  });

  test.each(['greatest(v, v)', 'least(v, v)', "listagg(distinct v, ',') within group (order by v)"])(
    '%s is refused',
    async (call) => {
      await expect(rows(of('[10, 9]', '', call))).rejects.toMatchObject({ name: 'Refusal' });
    },
  );
});
