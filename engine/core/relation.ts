import type { SqlType } from './sql-type.ts';

/** A function that SQL has created. DuckDB stores it as a macro. */
export interface UserFunction {
  readonly parameters: readonly SqlType[];
  readonly returns: SqlType;
  /** How DuckDB's SQL names it: quoted. */
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

/** A table or view that a view reads, named as in DuckDB's SQL, and the columns that the view reads. */
export interface ViewNeed {
  readonly table: string;
  readonly columns: readonly string[];
  /**
   * In the first kind, which changes and drops what its views need: how many columns the table had when the view was created, if the
   * view reads them as `*`, otherwise null. Left out in the second kind.
   */
  readonly count?: number | null;
}

/** What a column requires of a new row besides its type. */
export interface ColumnRule {
  readonly isRequired: boolean;
  /** The default, as DuckDB's SQL; undefined for none. */
  readonly otherwise: string | undefined;
}

/** A table or view of the warehouse. */
export interface Table extends TableName {
  readonly kind: 'table' | 'view';
  readonly columns: readonly Column[];
  /** The columns of its primary key, which is not enforced. Left out if it has none. */
  readonly primaryKey?: readonly string[] | undefined;
  /** The identity column whose values only the warehouse sets. Left out if it has none. */
  readonly identity?: string | undefined;
  /** The columns that have a default or refuse NULL. Left out if none does. */
  readonly rules?: ReadonlyMap<string, ColumnRule> | undefined;
  /** What a view reads: in kind 2, it cannot be dropped without the view. Left out if there is nothing. */
  readonly needs?: readonly ViewNeed[] | undefined;
  /** Only while a pipeline is bound: why no read can use a view of another pipeline. */
  readonly unreadable?: Unreadable | undefined;
  /** How DuckDB's SQL names it: quoted, ready to be inserted. */
  readonly sql: string;
}

/** The reason why a view cannot be read. */
export interface Unreadable {
  /** What has changed below the view since it was created. */
  readonly reason: string;
  /** Whether only the engine refuses the read for certain. Otherwise the warehouse fails too. */
  readonly isRefused: boolean;
  /** The table or view that has changed. */
  readonly table: TableName;
}

/** The facts about the tables of a warehouse that a translation of SQL uses. */
export interface Catalog {
  /** A table by its exact name; `undefined` if no table has it. */
  find(name: TableName): Table | undefined;
  /** The table whose name differs in case only, for messages. */
  findIgnoringCase(name: TableName): Table | undefined;
  /** A function that SQL has created. */
  findFunction?(name: TableName): UserFunction | undefined;
  /** The names of the schemas of a database, also of empty ones. */
  schemaNames?(database: string): readonly string[];
  /** All tables and views, in the order of their names. */
  all(): readonly Table[];
  /** The tables of a schema, in the order of their names. */
  list(database: string, schema: string): readonly Table[];
}
