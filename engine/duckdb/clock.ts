import type { DuckDBConnection } from '@duckdb/node-api';

/** The warehouse's time in DuckDB's SQL, for what is stored and evaluated later: views and defaults of columns. */
export const CLOCK_SQL = "getvariable('millrace_clock')";

/** The time that `CLOCK_SQL` means on one connection. */
export interface WarehouseClock {
  /** Sets it before a statement. */
  set(connection: DuckDBConnection): Promise<void>;
}

/** `now`: milliseconds since the epoch. */
export function createClock(now: () => number): WarehouseClock {
  let last: number | undefined;
  return {
    async set(connection) {
      const time = now();
      if (time === last) return;
      await connection.run(`SET VARIABLE millrace_clock = TIMESTAMPTZ '${new Date(time).toISOString()}'`);
      last = time;
    },
  };
}
