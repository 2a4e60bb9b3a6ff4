import type { JsonNull } from '../../core/json-null.ts';
import type { LongDecimal } from '../../core/long-decimal.ts';
import type { WrittenJson } from '../../core/written-json.ts';
import type { Catalog, Column, Table, TableName } from '../../core/relation.ts';

/**
 * A value of a row.
 * - Whole numbers (integer types and NUMBER(p,0)): a number, or a bigint beyond the safe integers.
 * - NUMBER(p,s): text with exactly s decimals. FLOAT: a number, or the text `NaN`, `Infinity` or `-Infinity`.
 * - DATE `YYYY-MM-DD`, TIME `hh:mm:ss[.ffffff]`, TIMESTAMP `YYYY-MM-DD hh:mm:ss[.ffffff]`, TIMESTAMP_TZ the same
 *   in UTC with `+00:00` at its end; fractions without zeros at their end. BINARY: upper-case hexadecimal text.
 * - VARIANT: lists, maps and scalars, as in JSON; a decimal with more digits than a number of JavaScript has is a
 *   LongDecimal; a JSON null is null, and a JsonNull as a whole value if `query` tells it apart. An item of a list is
 *   undefined if it is an SQL NULL.
 */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | LongDecimal
  | JsonNull
  | readonly (Value | undefined)[]
  | { readonly [key: string]: Value };

/** A value of a row that is to be written into a table. */
export type RowValue = Value | WrittenJson;

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  /** Whether there were more rows than asked for. */
  readonly isCut: boolean;
}

/**
 * Changes to the rows of one table: rows are removed first, then added. A row is identified by the columns of `key`. Without a key,
 * all columns identify it, and of several equal rows, one is removed for each row in `removed`.
 */
export interface RowChanges {
  /** All columns of the table, in its order. */
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** The values of the key's columns in the order of `key`; without a key, whole rows. */
  readonly removed: readonly (readonly Value[])[];
  readonly added: readonly (readonly RowValue[])[];
  /** Rows that take some values from a row that the table has before the change. Only with a key. */
  readonly completed?: readonly CompletedRows[];
}

/** Rows to be written whose values in some columns are copied from existing rows. */
export interface CompletedRows {
  /** The places of these columns in `columns`; the values at these places are ignored. */
  readonly kept: readonly number[];
  /** `origin`: the key of the existing row. */
  readonly rows: readonly { readonly origin: readonly Value[]; readonly values: readonly Value[] }[];
}

export interface QueryOptions {
  /** At most so many rows are returned. */
  readonly maxRows: number;
  /** Whether a JSON null as a whole value is a JsonNull; otherwise it is null, as an SQL NULL is. */
  readonly tellsJsonNull?: boolean;
}

/**
 * A warehouse on this machine. Its statements run one after the other. All methods throw SqlError and
 * WarehouseStopped.
 */
export interface Warehouse extends AsyncDisposable {
  readonly catalog: Catalog;
  /** Whether its file could not be written: every statement fails until the warehouse is closed and opened again. */
  readonly isInvalid: boolean;
  /**
   * The same warehouse for one execution: the abort ends its running statement, rolls its transaction back and
   * refuses its later statements, and leaves the statements of others alone. `now`: its time in views and defaults, in
   * milliseconds since the epoch; without it, the time of this warehouse.
   */
  abortable(signal: AbortSignal, now?: () => number): Warehouse;
  /** Brings the catalog up to date after statements that define tables. */
  refresh(): Promise<void>;
  /** Runs one query of DuckDB's SQL. */
  query(sql: string, options: QueryOptions): Promise<Rows>;
  /** Runs one statement of DuckDB's SQL; returns the number of rows that it changed. */
  run(sql: string): Promise<number>;
  /** The output columns of a query, without running it. */
  describe(sql: string): Promise<readonly Column[]>;
  /**
   * All statements or none: every statement that `work` runs, directly or through functions that it calls, belongs
   * to the transaction. A transaction inside another one joins it. A failure restores the catalog too.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Creates a schema unless it exists. */
  createSchema(database: string, schema: string): Promise<void>;
  /** Creates a table from rows, and its schema if needed; replaces a table of the same name. */
  createTable(
    name: TableName,
    columns: readonly Column[],
    rows: readonly (readonly Value[])[],
  ): Promise<Table>;
  /** Adds rows to a table. `columns` are some of its columns, in any order; the others get their defaults. */
  insertRows(table: Table, columns: readonly Column[], rows: readonly (readonly Value[])[]): Promise<void>;
  /**
   * Removes and adds rows, all or none. Throws SqlError, also if an existing row is missing from which a row takes values.
   */
  changeRows(table: Table, changes: RowChanges): Promise<void>;
  /** Gives a table other columns: values of columns that keep their name and type stay, new columns are NULL. */
  reshapeTable(table: Table, columns: readonly Column[]): Promise<Table>;
  /** Drops everything that statements created, so that the warehouse is as it was when it was opened. */
  clear(): Promise<void>;
  /** Ends the running statement and refuses the waiting and later ones until `resume`. */
  stop(): void;
  resume(): void;
}

/** The error that `stop` or an abort ended the statement, or that the statement was started after that. */
export class WarehouseStopped extends Error {
  override readonly name = 'WarehouseStopped';

  constructor() {
    super('the execution was stopped');
  }
}
