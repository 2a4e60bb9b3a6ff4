import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from '../orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

const rows =
  'with recursive d as (select 0 as n union all select n + 1 from d where n < 45) select a.n as n from d a, d b';

test.each([
  "'[' || repeat('1.50,', 40000) || n || ']'",
  "n || repeat('x', 200000)",
  "concat(repeat('x', 200000), n, n)",
  "lpad(n, 200000, 'x')",
  "rpad(to_varchar(n), 200000, 'x')",
  "repeat('x', 200000 + n)",
])('%s of many rows counts once for each of them', async (text) => {
  const measured = rowsOf(`select max(length(${text})) from (${rows})`, 'WAREHOUSE_ONE', warehouse);
  await expect(measured).rejects.toThrow(
    'Millrace does not support a statement that needs more than 200MB of memory; use fewer rows',
  );
});
