import type { Catalog, Column, Table, TableName } from './relation.ts';
import type { SqlType, WarehouseKind } from './sql-type.ts';

/** The meaning of a name in SQL that is not a table of the warehouse. */
export interface NamedRelation {
  /** How DuckDB's SQL names it: quoted, ready to be inserted. */
  readonly sql: string;
  readonly columns: readonly Column[];
  /** For `noteColumn`: the table of the warehouse that it is, as DuckDB's SQL names it. */
  readonly table?: string;
}

/** The name that means all columns of a table in a list of read columns. */
export const ALL_COLUMNS = '*';

/** What a translation needs to know. */
export interface DialectContext {
  readonly warehouse: WarehouseKind;
  readonly catalog: Catalog;
  /** For names with fewer than three parts. */
  readonly defaults: { readonly database: string; readonly schema: string };
  /** The time of `CURRENT_TIMESTAMP` and the like: milliseconds since the epoch. */
  readonly now: number;
  /** The SQL becomes part of a view. Then the clock is read when the view is read, and `now` is not used. */
  readonly isStored?: boolean;
  /**
   * Called at least once for each column of a table that SQL or a component reads by its name. `table` is as DuckDB's SQL
   * names it; `column` is ALL_COLUMNS for `*`.
   */
  readonly noteColumn?: ((table: string, column: string) => void) | undefined;
  /**
   * Called with the error of a column that is not there. True: it counts as a NULL, so that the next one can be found; otherwise the error
   * is thrown.
   */
  readonly missingColumn?: ((error: Error) => boolean) | undefined;
  /** Called before all tables of a schema are read whose names match. `pattern`: the name for people, with `%` and `_`. */
  readonly searchTables?: ((pattern: TableName, matches: (table: string) => boolean) => void) | undefined;
  /** What `$T{name}` means. */
  readonly components: ReadonlyMap<string, NamedRelation>;
}

/** Relations by the alias under which an expression names them. The alias '' contains columns without a qualifier. */
export type Scope = ReadonlyMap<string, NamedRelation>;

export interface TranslatedQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** The tables that it reads. */
  readonly reads: readonly Table[];
}

export interface TranslatedExpression {
  readonly sql: string;
  readonly type: SqlType;
}

/** One statement of a script. */
export type TranslatedStatement =
  | {
      readonly kind: 'query';
      readonly query: TranslatedQuery;
      readonly text: string;
      readonly offset: number;
    }
  | {
      readonly kind: 'change';
      /** Run in this order, in one transaction. */
      readonly sql: readonly string[];
      /** Whether tables were created, dropped or altered, so that the catalog must be read again. */
      readonly definesTables: boolean;
      readonly text: string;
      readonly offset: number;
    }
  /** `USE DATABASE`, `USE SCHEMA`: for the rest of the script. */
  | {
      readonly kind: 'defaults';
      readonly database?: string;
      readonly schema?: string;
      readonly text: string;
      readonly offset: number;
    }
  /** It has no meaning on one machine: `GRANT`, `USE WAREHOUSE`, … */
  | { readonly kind: 'no-effect'; readonly what: string; readonly text: string; readonly offset: number };
