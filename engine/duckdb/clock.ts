import type { DuckDBConnection } from '@duckdb/node-api';

/** The warehouse's time in DuckDB's SQL, for what is stored and evaluated later: views and defaults of columns. */
export const CLOCK_SQL = "getvariable('millrace_clock')";

/** Sets the time that `CLOCK_SQL` means, in milliseconds since the epoch. */
export async function setClock(connection: DuckDBConnection, now: number): Promise<void> {
  await connection.run(`SET VARIABLE millrace_clock = TIMESTAMPTZ '${new Date(now).toISOString()}'`);
}
