import type { Catalog, Column, Table, TableName } from '../core/relation.ts';

/** A value of a row: numbers beyond a double, decimals, dates and timestamps are texts in their one written form. */
export type Value =
  string | number | bigint | boolean | null | readonly Value[] | { readonly [key: string]: Value };

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  /** Whether there were more rows than asked for. */
  readonly isCut: boolean;
}

/** A warehouse on this machine. Statements run one after the other. Throws SqlError and WarehouseStopped. */
export interface Warehouse extends AsyncDisposable {
  readonly catalog: Catalog;
  /** Reads the catalog again after statements that define tables. */
  refresh(): Promise<void>;
  /** Runs DuckDB's SQL and returns at most `maxRows` rows. */
  query(sql: string, options: { readonly maxRows: number }): Promise<Rows>;
  /** Runs one statement of DuckDB's SQL; returns the number of rows that it changed. */
  run(sql: string): Promise<number>;
  /** The output columns of a query, without running it. */
  describe(sql: string): Promise<readonly Column[]>;
  /** All statements or none. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Creates a table from rows, replacing one of the same name. */
  createTable(
    name: TableName,
    columns: readonly Column[],
    rows: readonly (readonly Value[])[],
  ): Promise<Table>;
  /** Ends the running statement and refuses later ones until `resume`. */
  stop(): void;
  resume(): void;
}
