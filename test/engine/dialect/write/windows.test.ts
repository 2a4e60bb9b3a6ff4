import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

const ROWS = 'rows between 1 preceding and current row';

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s: OVER', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });
  const failureOf = async (call: string) =>
    await rowsOf(`select ${call} from orders`, kind, warehouse).catch((error: unknown) => error);

  test.each([
    'row_number()',
    'rank()',
    'dense_rank()',
    'percent_rank()',
    'cume_dist()',
    'ntile(2)',
    'lag(id)',
    'lead(id, 2)',
  ])('%s has no frame', async (call) => {
    const name = call.replace(/\(.*/, '').toUpperCase();
    for (const frame of [ROWS, 'rows unbounded preceding'])
      expect(await failureOf(`${call} over (order by id ${frame})`)).toMatchObject({
        name: 'Refusal',
        construct: `${name} with a frame in OVER`,
        hint: 'the warehouse does not allow a frame there: leave ROWS or RANGE out',
      });
  });

  test.each(['sum(id)', 'count(*)', 'avg(id)'])('%s has no frame without an order', async (call) => {
    expect(await failureOf(`${call} over (partition by name ${ROWS})`)).toMatchObject({
      name: 'Refusal',
      construct: 'a frame without ORDER BY in OVER',
    });
  });

  test.each([
    'rows between 5 following and 5 preceding',
    'rows between current row and 2 preceding',
    'rows between 3 following and current row',
    'rows between unbounded following and current row',
    'rows between current row and unbounded preceding',
    'rows 2 following',
  ])('the frame %s ends before it begins', async (frame) => {
    expect(await failureOf(`sum(id) over (order by id ${frame})`)).toMatchObject({
      name: 'Refusal',
      construct: 'a frame in OVER that ends before it begins',
    });
  });

  test.each([
    ['rows unbounded preceding', '[[1],[3],[6]]'],
    [ROWS, '[[1],[3],[5]]'],
    ['rows between 2 preceding and 1 preceding', '[[null],[1],[3]]'],
    ['rows between current row and unbounded following', '[[6],[5],[3]]'],
  ])('the frame %s runs', async (frame, expected) => {
    const sql = `select sum(id) over (order by id ${frame}) from orders order by id`;
    expect(await rowsOf(sql, kind, warehouse)).toBe(expected);
  });
});

describe('WAREHOUSE_TWO: OVER', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_TWO');
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });
  const run = async (call: string) =>
    await rowsOf(`select ${call} from orders order by id`, 'WAREHOUSE_TWO', warehouse);

  test.each([
    ['lag(id) over (partition by name)', 'LAG without ORDER BY in OVER'],
    ['lead(id) over ()', 'LEAD without ORDER BY in OVER'],
    ['count(distinct id) over (partition by name)', 'COUNT(DISTINCT …) with OVER'],
    ['sum(distinct id) over ()', 'SUM(DISTINCT …) with OVER'],
    ['max(distinct id) over ()', 'MAX(DISTINCT …) with OVER'],
    [
      'sum(id) over (order by id range between unbounded preceding and current row)',
      'a frame of RANGE in OVER',
    ],
    ['sum(id) over (order by id range unbounded preceding)', 'a frame of RANGE in OVER'],
    ["row_number() over (order by 'a')", 'a constant in ORDER BY of OVER'],
    ['row_number() over (order by null)', 'a constant in ORDER BY of OVER'],
    ["row_number() over (partition by 'a' order by id)", 'a constant in PARTITION BY of OVER'],
  ])('%s is refused', async (call, construct) => {
    await expect(run(call)).rejects.toMatchObject({ name: 'Refusal', construct, hint: expect.any(String) });
  });

  test.each([
    ['rank() over (partition by id)', '[[1],[1],[1]]'],
    ['lag(id) over (partition by 1 order by id)', '[[null],[1],[2]]'],
    ['rank() over ()', '[[1],[1],[1]]'],
    ['dense_rank() over ()', '[[1],[1],[1]]'],
    ['percent_rank() over ()', '[[0],[0],[0]]'],
    ['cume_dist() over ()', '[[1],[1],[1]]'],
    ['first_value(id) over (partition by id)', '[[1],[2],[3]]'],
    ['lag(id) over (order by id)', '[[null],[1],[2]]'],
  ])('%s runs, as documented', async (call, expected) => {
    expect(await run(call)).toBe(expected);
  });
});

test('WAREHOUSE_ONE: a frame of RANGE runs, and DISTINCT without an order', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const sql = `select sum(id) over (order by id range between unbounded preceding and current row),
    count(distinct name) over () from orders order by id`;
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe('[[1,2],[3,2],[6,2]]');
});
