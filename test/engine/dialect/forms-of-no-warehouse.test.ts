import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../engine/core/refusal.ts';
import type { Warehouse } from '../../../engine/duckdb/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

/** Forms that DuckDB has and the warehouse has not: a test with one of them must not pass. */
describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });
  const failureOf = async (sql: string) =>
    await rowsOf(sql, kind, warehouse).catch((error: unknown) => error);

  test.each([
    'count(*) filter (where id > 1)',
    'sum(id) filter (where id > 1) over (partition by name)',
    "listagg(name, ',') filter (where id > 1)",
  ])('%s is refused', async (call) => {
    const failure = await failureOf(`select ${call} from orders`);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({
      construct: 'FILTER (WHERE …)',
      hint: 'the warehouse has no such clause; aggregate CASE WHEN condition THEN value END',
      place: { line: 1, column: 8 + call.indexOf('filter') },
    });
  });
});
