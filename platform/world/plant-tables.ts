import {
  type Column,
  type EnvironmentDefaults,
  inferColumns,
  readTableText,
  readTypeText,
  sourceText,
  type Warehouse,
  type WarehouseKind,
} from '../../engine/index.ts';
import type { ProjectSeed } from '../seed/seed-schema.ts';

type SeedTable = ProjectSeed['tables'][number];

interface Ground {
  readonly environment: string;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
}

/**
 * A table that the catalog does not show: it marks a warehouse that has had the tables of the seed, so that they are
 * not planted again after pipelines have dropped them.
 */
const marker = 'millrace_planted';

/** Creates the tables of the seed in a new warehouse. Throws SqlError and Refusal for a table that cannot be created. */
export async function plantTables(
  warehouse: Warehouse,
  tables: readonly SeedTable[],
  ground: Ground,
): Promise<void> {
  const found = await warehouse.query(
    `SELECT 1 FROM duckdb_tables() WHERE schema_name = 'main' AND table_name = '${marker}'`,
    { maxRows: 1 },
  );
  if (found.rows.length > 0) return;
  await warehouse.createSchema(ground.defaults.database, ground.defaults.schema);
  await warehouse.transaction(async () => {
    for (const table of tables) {
      if (table.environments !== undefined && !table.environments.includes(ground.environment)) continue;
      await plantTable(warehouse, table, ground);
    }
    await warehouse.run(`CREATE TABLE main.${marker} (planted BOOLEAN)`);
  });
}

async function plantTable(warehouse: Warehouse, table: SeedTable, { kind, defaults }: Ground): Promise<void> {
  const { name, columns, rows } = table;
  const declared = Object.entries(columns ?? {}).map(([column, type]): Column => ({
    name: column,
    type: readTypeText(sourceText(type, `the seed's table ${name}`), kind),
  }));
  const all = columns === undefined ? inferColumns(rows) : declared;
  const values = rows.map((row) => all.map((column) => row[column.name] ?? null));
  await warehouse.createTable(readTableText(name, defaults), all, values);
}
