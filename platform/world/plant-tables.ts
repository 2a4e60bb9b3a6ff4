import {
  declaredColumns,
  FileProblems,
  readFixture,
  tableOfRows,
  ValueError,
  type EnvironmentDefaults,
  inferColumns,
  readTableText,
  Refusal,
  SqlError,
  textOfFile,
  type Warehouse,
  type WarehouseKind,
  WarehouseNotOpened,
} from '../../engine/index.ts';
import { inTurns } from '../../lib/core/ports/long-work.ts';
import type { TableSeed } from '../seed/seed-schema.ts';

interface TargetEnvironment {
  /** The project's name. */
  readonly project: string;
  readonly environment: string;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
}

/**
 * A table that the catalog does not show. It marks a warehouse in which the tables of the seed were planted, so that they
 * are not planted again after pipelines have dropped them.
 */
const marker = 'millrace_planted';

/** Creates the tables of the seed in a new warehouse. Throws WarehouseNotOpened for a table that cannot be created. */
export async function plantTables(
  warehouse: Warehouse,
  tables: readonly TableSeed[],
  target: TargetEnvironment,
): Promise<void> {
  const planted = await warehouse.query(
    `SELECT 1 FROM duckdb_tables() WHERE schema_name = 'main' AND table_name = '${marker}'`,
    { maxRows: 1 },
  );
  if (planted.rows.length > 0) return;
  await warehouse.createSchema(target.defaults.database, target.defaults.schema);
  await warehouse.transaction(async () => {
    for (const table of tables) {
      const { projects = [target.project], environments = [target.environment] } = table;
      if (!projects.includes(target.project) || !environments.includes(target.environment)) continue;
      await plantTable(warehouse, table, target);
    }
    await warehouse.run(`CREATE TABLE main.${marker} (planted BOOLEAN)`);
  });
}

async function plantTable(
  warehouse: Warehouse,
  table: TableSeed,
  { kind, defaults }: TargetEnvironment,
): Promise<void> {
  const { name, rows } = table;
  try {
    if (table.file !== undefined) {
      await plantFile(warehouse, { ...table, file: table.file }, { kind, defaults });
      return;
    }
    const columns =
      declaredColumns(table.columns, kind, `the seed's table ${name}`) ?? inferColumns(rows, kind);
    const names = new Set(columns.map((column) => column.name));
    const unknown = rows.flatMap((row) => Object.keys(row)).find((key) => !names.has(key));
    if (unknown !== undefined)
      throw new SqlError(`a row has the column "${unknown}", which \`columns\` does not list`);
    const values = rows.map((row) => columns.map((column) => row[column.name] ?? null));
    await warehouse.createTable(readTableText(name, defaults), columns, values);
  } catch (error) {
    if (!(error instanceof SqlError || error instanceof Refusal || error instanceof FileProblems))
      throw error;
    throw new WarehouseNotOpened(`the seed's table ${name} cannot be created: ${error.message}`);
  }
}

/** A table whose rows are in a file: it has the types that a fixture of a test has. */
async function plantFile(
  warehouse: Warehouse,
  { name, file, content, columns = {} }: TableSeed & { readonly file: string },
  { kind, defaults }: Pick<TargetEnvironment, 'kind' | 'defaults'>,
): Promise<void> {
  if (content === undefined) throw new SqlError(`the content of the file "${file}" is missing`);
  const bytes = Buffer.from(content, 'base64');
  const place = { file, line: 1, column: 1 };
  const fixture = { file, size: () => bytes.length, text: () => textOfFile(bytes, file), bytes: () => bytes };
  const written = await readFixture({ text: file, place }, { findFile: () => fixture });
  const declared = Object.entries(columns).map(([column, type]) => ({ name: column, type, place }));
  const table = { name: { text: name, place }, columns: declared, content: written };
  const typed = await inTurns(tableOfRows(table, kind));
  try {
    await warehouse.createTable(readTableText(name, defaults), typed.columns, typed.rows);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const at = written.rows[error.row - 1]?.placeOf(error.column) ?? place;
    throw new SqlError(`${at.file}:${at.line}:${at.column}: ${error.message}`);
  }
}
