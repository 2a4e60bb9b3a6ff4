import type { SqlType } from './sql-type.ts';

/** A function that was created with SQL (CREATE FUNCTION). DuckDB stores it as a macro. */
export interface UserFunction {
  readonly parameters: readonly SqlType[];
  readonly returns: SqlType;
  /** The function's quoted name in DuckDB's SQL. */
  readonly sql: string;
}

/** A column, with its name as stored, including its case. */
export interface Column {
  readonly name: string;
  readonly type: SqlType;
}

/** The three parts of a table's name, as stored. */
export interface TableName {
  readonly database: string;
  readonly schema: string;
  readonly table: string;
}

/** A table or view that a view reads, with the columns that the view reads. Both have their names in DuckDB's SQL. */
export interface ViewNeed {
  readonly table: string;
  readonly columns: readonly string[];
  /**
   * Only in `WAREHOUSE_ONE`, where a table can be changed or dropped although a view reads it. If the view reads all
   * columns of the table with `*`, the number of columns when the view was created; otherwise null. Left out in
   * `WAREHOUSE_TWO`.
   */
  readonly count?: number | null;
}

/** A rule for the values of a column in new rows, in addition to the column's type. */
export interface ColumnRule {
  readonly isRequired: boolean;
  /** The default value as an expression of DuckDB's SQL. Undefined if the column has no default. */
  readonly otherwise: string | undefined;
}

/** A table or view of the warehouse. */
export interface Table extends TableName {
  readonly kind: 'table' | 'view';
  readonly columns: readonly Column[];
  /**
   * The columns of the primary key, which the warehouse does not enforce. Left out if the table has no primary key.
   */
  readonly primaryKey?: readonly string[] | undefined;
  /** The identity column whose values only the warehouse may set. Left out if the table has no such column. */
  readonly identity?: string | undefined;
  /** The columns that have a default or do not allow NULL, by name. Left out if there are none. */
  readonly rules?: ReadonlyMap<string, ColumnRule> | undefined;
  /**
   * The tables and views that a view reads. In `WAREHOUSE_TWO`, none of them can be dropped unless the view is
   * dropped too. Left out if there are none.
   */
  readonly needs?: readonly ViewNeed[] | undefined;
  /**
   * Why a view that another pipeline created cannot be read. Set only while a pipeline is bound (compiled without
   * running).
   */
  readonly unreadable?: Unreadable | undefined;
  /** The table's quoted name in DuckDB's SQL, ready to be inserted into a statement. */
  readonly sql: string;
}

/** The reason why a view cannot be read. */
export interface Unreadable {
  /** What has changed in the tables and views that the view reads, since it was created. */
  readonly reason: string;
  /** True if only the engine is certain to refuse the read. False if the warehouse would fail too. */
  readonly isRefused: boolean;
  /** The table or view whose change makes the view unreadable. */
  readonly table: TableName;
}

/** The facts about the tables of a warehouse that the translation of SQL uses. */
export interface Catalog {
  /** Finds a table by its exact name. Undefined if no table has this name. */
  find(name: TableName): Table | undefined;
  /** Finds the table whose name differs from `name` only in upper and lower case, to suggest it in a message. */
  findIgnoringCase(name: TableName): Table | undefined;
  /** Finds a function that was created with SQL. */
  findFunction?(name: TableName): UserFunction | undefined;
  /** The names of the schemas of a database, including empty schemas. */
  schemaNames?(database: string): readonly string[];
  /** All tables and views, in the order of their names. */
  all(): readonly Table[];
  /** The tables of a schema, in the order of their names. */
  list(database: string, schema: string): readonly Table[];
}
