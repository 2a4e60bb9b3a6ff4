import { openWarehouse, type WarehouseOptions } from '../../../engine/duckdb/open-warehouse.ts';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';

/** A warehouse in memory, small unless said otherwise. */
export function openSmall(options: Partial<WarehouseOptions> = {}): Promise<Warehouse> {
  return openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '100MB', ...options });
}

/** The only value of a query. */
export async function valueOf(warehouse: Warehouse, sql: string) {
  const { rows } = await warehouse.query(sql, { maxRows: 1 });
  return rows[0]?.[0];
}
