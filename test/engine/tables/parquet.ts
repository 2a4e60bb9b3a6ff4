import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** The bytes of a Parquet file with the rows of each query of DuckDB. */
export async function parquetFiles(...queries: readonly string[]): Promise<readonly Buffer[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-parquet-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  try {
    const connection = await instance.connect();
    const files: Buffer[] = [];
    for (const sql of queries) {
      const file = path.join(folder, `${files.length}.parquet`);
      await connection.run(`COPY (${sql}) TO '${file}'`);
      files.push(readFileSync(file));
    }
    return files;
  } finally {
    instance.closeSync();
    rmSync(folder, { recursive: true, force: true });
  }
}
