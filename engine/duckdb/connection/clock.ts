import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * DuckDB's SQL of the warehouse's current time, for SQL that is stored and evaluated later: views and defaults of
 * columns.
 */
export const CLOCK_SQL = "getvariable('millrace_clock')";

/** Sets the time that `CLOCK_SQL` gives on a connection. */
export interface WarehouseClock {
  /** Sets it before a statement, in milliseconds since the epoch. */
  set(connection: DuckDBConnection, now: number): Promise<void>;
}

export function createClock(): WarehouseClock {
  let last: number | undefined;
  return {
    async set(connection, now) {
      if (now === last) return;
      await connection.run(`SET VARIABLE millrace_clock = TIMESTAMPTZ '${new Date(now).toISOString()}'`);
      last = now;
    },
  };
}

/** A statement after which DuckDB gives the same random numbers in each run. */
export const seedSql = 'SELECT setseed(0.5)';
