import { SqlError } from '../core/refusal.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';

/**
 * A warehouse without DuckDB. It has no tables and refuses every statement. With it, binding finds the tables that
 * parameters and statements name, but no columns.
 */
export function nameWarehouse(): Warehouse {
  const schemas = new Map<string, Set<string>>();
  const refuse = async (): Promise<never> => {
    throw new SqlError('columns cannot be determined without DuckDB');
  };
  const warehouse: Warehouse = {
    catalog: {
      find: () => undefined,
      findIgnoringCase: () => undefined,
      schemaNames: (database) => [...(schemas.get(database) ?? [])],
      all: () => [],
      list: () => [],
    },
    isInvalid: false,
    abortable: () => warehouse,
    refresh: async () => {},
    query: refuse,
    run: refuse,
    describe: refuse,
    transaction: (work) => work(),
    async createSchema(database, schema) {
      schemas.set(database, (schemas.get(database) ?? new Set()).add(schema));
    },
    createTable: refuse,
    insertRows: refuse,
    changeRows: refuse,
    reshapeTable: refuse,
    clear: async () => schemas.clear(),
    stop() {},
    resume() {},
    [Symbol.asyncDispose]: async () => {},
  };
  return warehouse;
}
