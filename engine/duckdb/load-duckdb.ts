export type Duckdb = typeof import('@duckdb/node-api');

/** Embedded DuckDB cannot be loaded on this machine. */
export class WarehouseUnavailable extends Error {
  override readonly name = 'WarehouseUnavailable';
}

/** As in `package.json`; the message names it, so that what is installed is what was tested. */
const duckdbVersion = '1.5.5-r.5';

/** Loads the optional package when a warehouse is opened: everything else works without it. */
export async function loadDuckdb(importPackage: () => Promise<Duckdb> = importDuckdb): Promise<Duckdb> {
  try {
    return await importPackage();
  } catch (error) {
    throw new WarehouseUnavailable(
      `Pipelines run on embedded DuckDB, and its optional package @duckdb/node-api could not be loaded. ` +
        `Install it with: npm install @duckdb/node-api@${duckdbVersion}`,
      { cause: error },
    );
  }
}

/** Whether warehouses can be opened on this machine. */
export async function hasDuckdb(): Promise<boolean> {
  try {
    await loadDuckdb();
    return true;
  } catch {
    return false;
  }
}

function importDuckdb(): Promise<Duckdb> {
  return import('@duckdb/node-api');
}
