import type { Place, SqlErrorCode } from '../core/refusal.ts';
import type { Column, TableName, Unreadable } from '../core/relation.ts';
import type { ValueUse } from '../lineage/relation.ts';

/** How certain the columns of a table are. */
export interface Certainty {
  /** Whether all columns are known. */
  readonly areNamesComplete: boolean;
  /** Whether the types are known for certain, and not guessed from the rows of a test. */
  readonly areTypesKnown: boolean;
}

export const certain: Certainty = { areNamesComplete: true, areTypesKnown: true };

/** The columns of a table that something outside of the pipeline defines. */
export interface KnownTable extends Certainty {
  readonly columns: readonly Column[];
  /** For a view that cannot be read: the reason. Such a view has no columns here. */
  readonly unreadable?: Unreadable | undefined;
}

/** A component that uses a table or view. */
export interface TableUse {
  readonly table: TableName;
  /** The component's name. */
  readonly component: string;
  /** The position of the component or of the statement. */
  readonly place: Place;
}

export interface TableRead extends TableUse {
  /** The columns that are read by name, in the order of their first use. */
  readonly columns: readonly string[];
  /** Whether the component reads all columns, as `*` does. */
  readonly readsAll: boolean;
  /** Whether the component could be bound, so that `columns` is complete. */
  readonly isBound: boolean;
}

/**
 * How a component changes a table. `define` creates or replaces the table. `alter` adds, drops or renames columns.
 * `insert` adds rows. `change` updates or deletes rows. `drop` removes the table.
 */
export type WriteMode = 'define' | 'alter' | 'insert' | 'change' | 'drop';

export interface TableWrite extends TableUse {
  readonly mode: WriteMode;
  /** All columns of the table after `define` or `alter`. Undefined if they are not known. */
  readonly columns?: KnownTable | undefined;
  /** The columns that an `insert` or a `change` lists. Undefined if they are not known. */
  readonly written?: readonly string[] | undefined;
}

/** A problem that makes every run fail that reaches the component. */
export interface BindingProblem {
  /** The component's name. Undefined if the pipeline cannot start. */
  readonly component: string | undefined;
  readonly place: Place;
  /** The message, without the position. */
  readonly message: string;
  readonly code: SqlErrorCode | undefined;
  /** The first name in the message. In a message about a column, this is the column. */
  readonly column: string | undefined;
  /** The tables that the component reads or writes. */
  readonly tables: readonly TableName[];
}

/** Tables that an unbound component or statement may write in addition to the tables that it certainly writes. */
export interface OtherUses {
  /**
   * Which other tables may be written. `named`: any table that the component names. `any`: the same, or if it names
   * none, any table at all.
   */
  readonly others: 'none' | 'named' | 'any';
  /** The text of the statement that names the tables. Undefined if all texts of the component name them. */
  readonly text?: string | undefined;
}

/** A component that could not be bound, with the reason. A component with a problem also counts as one. */
export interface UnknownComponent extends OtherUses {
  readonly component: string;
  readonly place: Place;
  /** The position of the component or of the statement. Its reads and writes have the same position. */
  readonly part: Place;
  readonly reason: string;
  /** The tables that the component reads or writes, as far as they are known. */
  readonly tables: readonly TableName[];
  /** The variables without a known value that the component uses. */
  readonly variables: readonly string[];
  /** Whether the only reason is that one of the component's sources could not be bound. */
  readonly isAfterOther: boolean;
  /**
   * The variable without a known value on which the name of a table depends. Undefined if no name depends on such a
   * variable.
   */
  readonly unnamed: string | undefined;
}

/** A component that uses a table whose name depends on a variable without a known value. */
export interface OpenUse extends TableUse {
  /** The name of the table, with `*` in place of the unknown value. */
  readonly table: TableName;
  readonly effect: 'read' | 'write';
}

export interface ColumnName {
  readonly table: TableName;
  readonly column: string;
}

/** The columns from which a column of a written table is computed. */
export interface ColumnLineage {
  readonly name: string;
  /**
   * The columns whose values become part of this column's values. `use` says how: unchanged or cast, computed within
   * one row, or computed over several rows.
   */
  readonly values: readonly (ColumnName & { readonly use: ValueUse })[];
  /**
   * The columns that decide which values this column gets, such as the order of a window or the filter of an
   * aggregate.
   */
  readonly choices: readonly ColumnName[];
  /** The components of the same pipeline that compute this column, in the order in which they do it. */
  readonly computedIn: readonly string[];
}

/** The tables from which a component takes the rows that it writes to a table. */
export interface WriteLineage extends Omit<TableUse, 'table'> {
  /** The name of the table. Undefined if the name depends on a variable that has no known value. */
  readonly table: TableName | undefined;
  readonly mode: WriteMode;
  /** Only the columns that the component writes. Empty if it only removes rows. */
  readonly columns: readonly ColumnLineage[];
  /** The columns that decide which rows the component writes, changes or removes. */
  readonly rows: readonly ColumnName[];
  /** All tables that the component reads for this write. */
  readonly tables: readonly TableName[];
  /** The reasons why there may be other sources too. Empty if all sources are known. */
  readonly unknown: readonly string[];
}

/** What binding found out about how one pipeline uses tables, without the pipelines that it calls. */
export interface BoundPipeline {
  readonly reads: readonly TableRead[];
  readonly writes: readonly TableWrite[];
  readonly problems: readonly BindingProblem[];
  readonly unknown: readonly UnknownComponent[];
  readonly open: readonly OpenUse[];
  /** Empty if `traces` was not set. */
  readonly lineage: readonly WriteLineage[];
}

/** The result for a pipeline that uses no tables. */
export const nothingBound: BoundPipeline = {
  reads: [],
  writes: [],
  problems: [],
  unknown: [],
  open: [],
  lineage: [],
};
