import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from '../orders.ts';
import { compareDivisions } from './random-divisions.ts';

test('quotients and rests of random exact numbers are exact', async () => {
  await expect(compareDivisions({ rounds: 12, seed: 16 })).resolves.toBeUndefined();
});

describe('a quotient may be in', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_ONE');
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each([
    ['a group', 'select id / 2 as x from orders group by id / 2 order by id / 2'],
    [
      'an aggregate and HAVING',
      'select sum(id / 2) as x from orders group by id having max(id / 2) > 0 order by 1',
    ],
    ['a window', 'select sum(id / 2) over (partition by id / 2 order by id / 2) as x from orders order by 1'],
    [
      'a subquery',
      'select (select max(o.id / 2) from orders o where o.id = orders.id) / 1 as x from orders order by id',
    ],
    ['a join', 'select a.id / 2 as x from orders a join orders b on a.id / 2 = b.id / 2 order by 1'],
    [
      'a query with a table named as its operands',
      'select millrace_operands.id / 2 as x from orders millrace_operands order by 1',
    ],
  ])('%s', async (_, sql) => {
    const rows: unknown[][] = JSON.parse(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse));
    expect(rows.map(([value]) => Number(value))).toEqual([0.5, 1, 1.5]);
  });
});
