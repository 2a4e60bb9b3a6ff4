import { quoteName } from './physical-name.ts';
import type { Warehouse } from './warehouse.ts';

const schemasSql =
  'SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name = current_database()';

/** Drops everything that statements created, so that the warehouse is as it was when it was opened. */
export async function clearWarehouse(warehouse: Warehouse): Promise<void> {
  const { rows } = await warehouse.query(schemasSql, { maxRows: 100_000 });
  // A view may read another schema: nothing is left only after all have been dropped.
  for (const [name] of rows) {
    if (typeof name !== 'string' || name === 'main') continue;
    await warehouse.run(`DROP SCHEMA ${quoteName(name)} CASCADE`);
  }
  await warehouse.refresh();
}
