import { afterAll } from 'vitest';
import type { WarehouseKind } from '../../../engine/core/sql-type.ts';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { transform, type Transformed, type TransformOptions } from '../transformation/transform.ts';

/** One warehouse of each kind for a test file, for components that write. */
export interface SharedWarehouse {
  open(kind?: WarehouseKind): Promise<Warehouse>;
  /** Runs statements of DuckDB's SQL, to create what rows alone cannot: defaults, NOT NULL, views. */
  prepare(statements: readonly string[], kind?: WarehouseKind): Promise<void>;
  run(components: string, options?: TransformOptions): Promise<Transformed>;
}

export function sharedWarehouse(): SharedWarehouse {
  const opened = new Map<WarehouseKind, Promise<Warehouse>>();
  afterAll(async () => {
    for (const warehouse of opened.values()) await (await warehouse)[Symbol.asyncDispose]();
  });
  const open = (kind: WarehouseKind = 'WAREHOUSE_ONE'): Promise<Warehouse> => {
    const opening = opened.get(kind) ?? openWarehouse({ kind, memoryLimit: '200MB' });
    opened.set(kind, opening);
    return opening;
  };
  return {
    open,
    async prepare(statements, kind) {
      const warehouse = await open(kind);
      for (const statement of statements) await warehouse.run(statement);
      await warehouse.refresh();
    },
    run: async (components, options = {}) =>
      transform(components, { ...options, warehouse: await open(options.kind) }),
  };
}
