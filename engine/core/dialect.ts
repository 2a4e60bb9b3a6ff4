import type { Catalog, Column, Table, TableName } from './relation.ts';
import type { SqlType, WarehouseKind } from './sql-type.ts';

/** A relation that SQL can name although it is not a table of the warehouse, such as the rows of a component. */
export interface NamedRelation {
  /** The relation's quoted name in DuckDB's SQL, ready to be inserted into a statement. */
  readonly sql: string;
  readonly columns: readonly Column[];
  /**
   * The table of the warehouse whose rows these are, by its name in DuckDB's SQL. `noteColumn` gets this name. Left
   * out if the rows are not the rows of one table.
   */
  readonly table?: string;
}

/** Means all columns of a table in a list of columns that are read. */
export const ALL_COLUMNS = '*';

/** What the translation of a piece of SQL needs to know. */
export interface DialectContext {
  readonly warehouse: WarehouseKind;
  readonly catalog: Catalog;
  /** The database and the schema of a name that does not contain them. */
  readonly defaults: { readonly database: string; readonly schema: string };
  /** The time that `CURRENT_TIMESTAMP` and similar functions return, in milliseconds since the epoch. */
  readonly now: number;
  /**
   * Whether the SQL becomes part of a view. The clock functions of a view return the time at which the view is read,
   * so `now` is not used.
   */
  readonly isStored?: boolean;
  /**
   * Called at least once for each column of a table that SQL or a component reads by its name. `table` is the table's
   * name in DuckDB's SQL. `column` is ALL_COLUMNS if the SQL reads `*`.
   */
  readonly noteColumn?: ((table: string, column: string) => void) | undefined;
  /**
   * Called with the error about a column that does not exist. If it returns true, the column counts as a NULL, so
   * that the translation can also find the next missing column. Otherwise the error is thrown.
   */
  readonly missingColumn?: ((error: Error) => boolean) | undefined;
  /**
   * Called before the SQL reads all tables of a schema whose names match a pattern. `pattern` is for messages and
   * contains `%` and `_`; `matches` tests the name of a table.
   */
  readonly searchTables?: ((pattern: TableName, matches: (table: string) => boolean) => void) | undefined;
  /** The relations that `$T{name}` refers to, by name. */
  readonly components: ReadonlyMap<string, NamedRelation>;
}

/**
 * The relations that an expression can refer to, by alias. The alias '' has the columns that are named without an
 * alias.
 */
export type Scope = ReadonlyMap<string, NamedRelation>;

export interface TranslatedQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** The tables that the query reads. */
  readonly reads: readonly Table[];
}

export interface TranslatedExpression {
  readonly sql: string;
  readonly type: SqlType;
}

/** One statement of a script, translated. */
export type TranslatedStatement =
  | {
      readonly kind: 'query';
      readonly query: TranslatedQuery;
      readonly text: string;
      readonly offset: number;
    }
  | {
      readonly kind: 'change';
      /** The statements of DuckDB, to be run in this order in one transaction. */
      readonly sql: readonly string[];
      /** Whether the statement creates, drops or alters tables, so that the catalog must be read again. */
      readonly definesTables: boolean;
      readonly text: string;
      readonly offset: number;
    }
  /** `USE DATABASE` or `USE SCHEMA`. It applies to the rest of the script. */
  | {
      readonly kind: 'defaults';
      readonly database?: string;
      readonly schema?: string;
      readonly text: string;
      readonly offset: number;
    }
  /** A statement such as `GRANT` or `USE WAREHOUSE`, which has no effect on a single machine. */
  | { readonly kind: 'no-effect'; readonly what: string; readonly text: string; readonly offset: number };
