import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../../engine/core/refusal.ts';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

const KINDS = ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const;
const warehouses = new Map<WarehouseKind, Warehouse>();
beforeAll(async () => {
  for (const kind of KINDS) warehouses.set(kind, await openOrders(kind));
});
afterAll(async () => {
  for (const warehouse of warehouses.values()) await warehouse[Symbol.asyncDispose]();
});

async function rows(sql: string, kind: WarehouseKind): Promise<string> {
  const warehouse = warehouses.get(kind);
  if (warehouse === undefined) throw new Error('not open');
  return await rowsOf(sql, kind, warehouse);
}

async function failureOf(sql: string, kind: WarehouseKind): Promise<unknown> {
  return await rows(sql, kind).catch((error: unknown) => error);
}

describe.each(KINDS)('%s: LIMIT in a subquery', (kind) => {
  const before = 'select b.name from orders b where b.id < a.id';
  test.each([
    [`select id, (${before} order by b.id limit 1) v from orders a`],
    [`select id, (select top 1 b.name from orders b where b.id < a.id) v from orders a`],
    [`select id, (${before} limit 1 offset 1) v from orders a`],
    [`select id from orders a where name in (${before} limit 1)`],
    [`select id from orders a where exists (${before} limit 1)`],
    [`select id, (select max(name) from (${before} limit 1) q) v from orders a`],
    [`select id, (with q as (${before} limit 1) select max(name) from q) v from orders a`],
  ])('%s is refused', async (sql) => {
    const failure = await failureOf(sql, kind);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({
      construct: expect.stringMatching(/^LIMIT in (?:a correlated subquery|the query of (?:IN|EXISTS))$/),
      hint: expect.stringContaining('the warehouse refuses it'),
    });
  });

  test.each([
    [
      'select id, (select max(b.id) from orders b where b.id < a.id) v from orders a order by id limit 2',
      '[[1,null],[2,1]]',
    ],
    ['select (select b.id from orders b order by id limit 1) v', '[[1]]'],
    [
      'select id from orders where id in (select id from (select id from orders order by id limit 1) q)',
      '[[1]]',
    ],
    ['select id from (select id from orders order by id limit 1) q', '[[1]]'],
  ])('%s runs', async (sql, expected) => {
    expect(await rows(sql, kind)).toBe(expected);
  });
});

test.each([
  ['select id from orders where id in (select id from orders limit 1)', 'LIMIT in the query of IN'],
  ['select id from orders where exists (select 1 from orders limit 1)', 'LIMIT in the query of EXISTS'],
  [
    'select a.id from orders a, lateral (select b.id from orders b where b.id < a.id limit 1) q',
    'LIMIT in a correlated subquery',
  ],
  ['select id from orders offset 1', 'OFFSET without LIMIT'],
])('WAREHOUSE_ONE: %s is refused', async (sql, construct) => {
  expect(await failureOf(sql, 'WAREHOUSE_ONE')).toMatchObject({ name: 'Refusal', construct });
});

test('WAREHOUSE_ONE: FETCH, LIMIT NULL and LIMIT in a set operation are its own', async () => {
  const sql = `select id from (select id from orders order by id offset 1 rows fetch next 1 rows only)
    union all (select id from orders order by id limit 1) order by 1 limit null`;
  expect(await rows(sql, 'WAREHOUSE_ONE')).toBe('[[1],[2]]');
});

test.each([
  [
    'select id from orders a where exists (select 1 from orders b where exists (select 1 from orders c where c.id = a.id))',
    'a subquery with a column of a query two levels around it',
  ],
  [
    'select a.id from orders a left join orders b on a.id = b.id and b.id = (select max(c.id) from orders c where c.id = b.id)',
    'a correlated subquery in ON of a LEFT JOIN',
  ],
  [
    'select id from orders a where id not in (select sum(b.id) over () from orders b where b.id = a.id)',
    'a window function in a correlated subquery',
  ],
  [
    'select id, (select count(b.id) from orders b where b.id = a.id) n from orders a group by n, id',
    'GROUP BY of a correlated subquery',
  ],
  [
    'select id, (select count(b.id) from orders b where b.id = a.id) n from orders a group by 2, 1',
    'GROUP BY of a correlated subquery',
  ],
  [
    'select id from orders a where id in (select sum(b.id) from orders b where b.name = a.name group by b.day)',
    'IN of a correlated subquery with GROUP BY',
  ],
  ['select id from orders group by id, (select max(id) from orders)', 'a subquery in GROUP BY'],
  ['select name from orders group by name having count(*) > (select 0)', 'a subquery in HAVING'],
  ['select id from orders, lateral (select 1 one) q', 'LATERAL'],
  ['select id from orders fetch first 1 rows only', 'FETCH'],
  ['(select id from orders limit 1) union select 2', 'LIMIT in a query of UNION'],
  ['select 2 union all (select id from orders limit 1)', 'LIMIT in a query of UNION ALL'],
])('WAREHOUSE_TWO: %s is refused', async (sql, construct) => {
  expect(await failureOf(sql, 'WAREHOUSE_TWO')).toMatchObject({
    name: 'Refusal',
    construct,
    hint: expect.any(String),
  });
});

test.each([
  [
    'select id from orders a where exists (select 1 from orders b where b.id = a.id and exists (select 1 from orders c where c.id = b.id)) order by id',
    '[[1],[2],[3]]',
  ],
  [
    'select a.id from orders a left join orders b on a.id = b.id and b.id = (select max(c.id) from orders c) order by 1',
    '[[1],[2],[3]]',
  ],
  [
    'select id from orders a where id in (select max(b.id) from orders b where b.name = a.name group by b.day) order by id',
    '[[1],[3]]',
  ],
  ['select id from orders order by id limit all offset 1', '[[2],[3]]'],
  ['select id from orders order by id offset 1 limit 1', '[[2]]'],
])('WAREHOUSE_TWO: %s runs', async (sql, expected) => {
  expect(await rows(sql, 'WAREHOUSE_TWO')).toBe(expected);
});

describe('WAREHOUSE_TWO: aliases of the SELECT list', () => {
  test.each([
    ['select id as v from orders where v = 1', '[[1]]'],
    ['select id + 1 as v, v * 2 as w from orders where w = 4', '[[2,4]]'],
    ['select id % 2 as v, count(*) from orders group by v order by v', '[[0,1],[1,2]]'],
    ['select id as name from orders where name = 5', '[]'],
  ])('%s: WHERE, GROUP BY and later items take them, after the columns of FROM', async (sql, expected) => {
    const isOther = sql.endsWith('name = 5');
    const failure = isOther ? await failureOf(sql, 'WAREHOUSE_TWO') : undefined;
    if (failure instanceof Error) expect(failure.message).toMatch(/VARCHAR|compar/);
    else expect(await rows(sql, 'WAREHOUSE_TWO')).toBe(expected);
  });

  test('HAVING does not: the message says what to write', async () => {
    const sql = 'select name, count(*) as n from orders group by name having n > 1';
    await expect(rows(sql, 'WAREHOUSE_TWO')).rejects.toThrow(
      'query.sql:1:61: HAVING cannot refer to the alias "n" of the SELECT list: repeat its expression',
    );
    expect(await rows(sql.replace('having n', 'having count(*)'), 'WAREHOUSE_TWO')).toBe('[]');
  });

  test('an item before the alias does not take it', async () => {
    const sql = 'select w + 1 as v, id as w from orders';
    await expect(rows(sql, 'WAREHOUSE_TWO')).rejects.toThrow('column "w" not found');
  });
});
