import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, runScript } from '../write/orders.ts';

/** Forms that the documentation of a kind excludes. */
const refused: Readonly<Record<WarehouseKind, readonly (readonly [sql: string, construct: string])[]>> = {
  WAREHOUSE_ONE: [
    ['with a as (select 1 v), a as (select 2 v) select v from a', 'the name "A" twice in WITH'],
    [
      'merge into m using orders o on m.id = o.id when matched then update set n = 1 when matched and o.id > 1 then delete',
      'WHEN MATCHED after WHEN MATCHED without AND',
    ],
    [
      'merge into m using orders o on m.id = o.id when not matched then insert values (1, 2) when not matched and o.id > 1 then insert values (3, 4)',
      'WHEN NOT MATCHED after WHEN NOT MATCHED without AND',
    ],
  ],
  WAREHOUSE_TWO: [
    ['with a as (select 1 v), a as (select 2 v) select v from a', 'the name "a" twice in WITH'],
    [
      'with recursive r as (select 1 n union all select n + 1 from r where n < 3) select n from r',
      'a recursive query without a list of columns',
    ],
    [
      'merge into m using orders o on m.id = o.id when not matched then insert values (1, 2) when matched then delete',
      'WHEN MATCHED after WHEN NOT MATCHED',
    ],
    [
      'select id from orders qualify row_number() over (order by id) = 1',
      'QUALIFY after a table without an alias',
    ],
    [
      'select o.id from orders o join m on m.id = o.id qualify row_number() over (order by o.id) = 1',
      'QUALIFY after a table without an alias',
    ],
    [
      'create view w as select id from orders qualify row_number() over (order by id) = 1',
      'QUALIFY after a table without an alias',
    ],
  ],
};

const taken = {
  WAREHOUSE_ONE: [
    'select id from orders qualify row_number() over (order by id) = 1',
    'with recursive r as (select 1 n union all select n + 1 from r where n < 3) select n from r',
    'with a as (select 1 v) select v from (with a as (select 2 v) select v from a)',
    'merge into m using orders o on m.id = o.id when not matched then insert values (1, 2) when matched and o.id > 1 then delete when matched then update set n = 1',
    'delete from m where id = 1',
  ],
  WAREHOUSE_TWO: [
    'select id from orders where id > 1 qualify row_number() over (order by id) = 1',
    'select id from orders o qualify row_number() over (order by id) = 1',
    'select id from orders group by id qualify row_number() over (order by id) = 1',
    'with recursive r (n) as (select 1 union all select n + 1 from r where n < 3) select n from r',
    'with recursive r as (select 1 n union all select 2) select n from r',
    'delete m where id = 1',
  ],
} as const;

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
    await runScript('create table m (id int, n int)', kind, warehouse);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each(refused[kind])('%s is refused', async (sql, construct) => {
    await expect(runScript(sql, kind, warehouse)).rejects.toMatchObject({
      name: 'Refusal',
      construct,
      hint: expect.any(String),
    });
  });

  test.each(taken[kind])('%s runs', async (sql) => {
    await expect(runScript(sql, kind, warehouse)).resolves.toBeUndefined();
  });
});

test('WAREHOUSE_ONE: DELETE needs FROM', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  await expect(runScript('delete orders where id = 1', 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
    'expected FROM, but found orders',
  );
});
