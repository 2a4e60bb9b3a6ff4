import type { JsonNull } from '../../core/json-null.ts';
import type { LongDecimal } from '../../core/long-decimal.ts';
import type { WrittenJson } from '../../core/written-json.ts';
import type { Catalog, Column, Table, TableName } from '../../core/relation.ts';

/**
 * A value in a row. Its form depends on the type of the column:
 * - Whole numbers (integer types and NUMBER(p,0)): a number, or a bigint if it is beyond the safe integers.
 * - NUMBER(p,s): a text with exactly s decimal places. FLOAT: a number, or the text `NaN`, `Infinity` or `-Infinity`.
 * - DATE: `YYYY-MM-DD`. TIME: `hh:mm:ss[.ffffff]`. TIMESTAMP: `YYYY-MM-DD hh:mm:ss[.ffffff]`. TIMESTAMP_TZ: the same
 * in UTC, with `+00:00` at the end. Fractions have no zeros at their end. BINARY: a text of upper-case hexadecimal
 * digits.
 * - VARIANT: lists, maps and scalars, as in JSON. A decimal with more digits than a JavaScript number can have is a
 * LongDecimal. A JSON null is null. If it is the whole value and `tellsJsonNull` is set, it is a JsonNull. An item of
 * a list is undefined if it is an SQL NULL.
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

/** A value in a row that is to be written to a table. */
export type RowValue = Value | WrittenJson;

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  /** Whether the query has more rows than were requested. */
  readonly isCut: boolean;
}

/**
 * Changes to the rows of one table. Rows are first removed, then added. The columns of `key` identify a row. Without
 * a key, all columns identify it, and for each row in `removed`, one of the equal rows is removed.
 */
export interface RowChanges {
  /** All columns of the table, in their order. */
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** For each row to remove, the values of the key's columns in the order of `key`. Without a key, whole rows. */
  readonly removed: readonly (readonly Value[])[];
  readonly added: readonly (readonly RowValue[])[];
  /** Rows that take some of their values from rows that the table has before the change. Only with a key. */
  readonly completed?: readonly CompletedRows[];
}

/** Rows to write whose values in some columns are copied from existing rows. */
export interface CompletedRows {
  /**
   * The indexes in `columns` of the columns whose values are copied. The given values of these columns are ignored.
   */
  readonly kept: readonly number[];
  /** The rows. `origin` is the key of the existing row from which values are copied. */
  readonly rows: readonly { readonly origin: readonly Value[]; readonly values: readonly Value[] }[];
}

export interface QueryOptions {
  /** The maximum number of rows to return. */
  readonly maxRows: number;
  /**
   * Whether a JSON null that is a whole value is returned as a JsonNull. Otherwise it is returned as null, like an
   * SQL NULL.
   */
  readonly tellsJsonNull?: boolean;
}

/**
 * A warehouse on this machine. Its statements run one after another. All methods throw SqlError and WarehouseStopped.
 */
export interface Warehouse extends AsyncDisposable {
  readonly catalog: Catalog;
  /**
   * Whether the database file could not be written. Every statement then fails until the warehouse is closed and
   * opened again.
   */
  readonly isInvalid: boolean;
  /**
   * Returns the same warehouse for use by one execution. If the signal aborts, the execution's running statement is
   * cancelled, its transaction is rolled back, and its later statements are refused. Statements of other executions
   * are not affected. `now` is the time in views and defaults, in milliseconds since the epoch. By default, it is the
   * time of this warehouse.
   */
  abortable(signal: AbortSignal, now?: () => number): Warehouse;
  /** Reads the catalog again after statements that created, changed or dropped tables. */
  refresh(): Promise<void>;
  /** Runs one query of DuckDB's SQL. */
  query(sql: string, options: QueryOptions): Promise<Rows>;
  /** Runs one statement of DuckDB's SQL. Returns the number of rows that it changed. */
  run(sql: string): Promise<number>;
  /** Returns the output columns of a query without running it. */
  describe(sql: string): Promise<readonly Column[]>;
  /**
   * Runs `work` in a transaction, so that either all of its statements take effect or none. Every statement that
   * `work` runs, directly or through functions that it calls, belongs to the transaction. A transaction inside
   * another transaction becomes a part of it. After a failure, the catalog is restored too.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Creates a schema if it does not exist. */
  createSchema(database: string, schema: string): Promise<void>;
  /** Creates a table with the given rows, and its schema if needed. Replaces a table of the same name. */
  createTable(
    name: TableName,
    columns: readonly Column[],
    rows: readonly (readonly Value[])[],
  ): Promise<Table>;
  /**
   * Adds rows to a table. `columns` are some of the table's columns, in any order. The other columns get their
   * default values.
   */
  insertRows(table: Table, columns: readonly Column[], rows: readonly (readonly Value[])[]): Promise<void>;
  /**
   * Removes and adds rows: either all changes are made or none. Throws SqlError, for example if a row does not exist
   * from which values are copied.
   */
  changeRows(table: Table, changes: RowChanges): Promise<void>;
  /**
   * Changes the columns of a table. A column that keeps its name and type keeps its values. A new column contains
   * NULL.
   */
  reshapeTable(table: Table, columns: readonly Column[]): Promise<Table>;
  /** Drops everything that statements created. The warehouse is then as it was when it was opened. */
  clear(): Promise<void>;
  /** Cancels the running statement, and refuses all waiting and later statements until `resume` is called. */
  stop(): void;
  resume(): void;
}

/** Thrown if a statement was cancelled by `stop` or by an abort, or was started after that. */
export class WarehouseStopped extends Error {
  override readonly name = 'WarehouseStopped';

  constructor() {
    super('the execution was stopped');
  }
}
