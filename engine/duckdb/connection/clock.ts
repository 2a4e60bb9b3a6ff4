import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * DuckDB's SQL for the warehouse's current time. It is used in SQL that is stored and evaluated later, as in views
 * and default values of columns.
 */
export const CLOCK_SQL = "getvariable('millrace_clock')";

/** Sets the time that `CLOCK_SQL` returns on a connection. */
export interface WarehouseClock {
  /** Sets the time before a statement runs, in milliseconds since the epoch. */
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
