import type { Place, SqlErrorCode } from '../core/refusal.ts';
import type { Column, TableName, Unreadable } from '../core/relation.ts';
import type { ValueUse } from '../lineage/relation.ts';

/** How certain the columns of a table are. */
export interface Certainty {
  /** Whether all columns are known. */
  readonly areNamesComplete: boolean;
  /** Whether the types are known, and not guessed from the rows of a test. */
  readonly areTypesKnown: boolean;
}

export const certain: Certainty = { areNamesComplete: true, areTypesKnown: true };

/** The columns of a table that something outside of the pipeline defines. */
export interface KnownTable extends Certainty {
  readonly columns: readonly Column[];
  /** Why no read can use it, a view; it has no columns then. */
  readonly unreadable?: Unreadable | undefined;
}

/** A component that uses a table or view. */
export interface TableUse {
  readonly table: TableName;
  /** The component's name. */
  readonly component: string;
  /** Where the component or the statement is. */
  readonly place: Place;
}

export interface TableRead extends TableUse {
  /** Columns that are read by their names, in the order of first use. */
  readonly columns: readonly string[];
  /** Whether it reads all columns, as `*` does. */
  readonly readsAll: boolean;
  /** Whether the component could be bound, so that `columns` is complete. */
  readonly isBound: boolean;
}

/**
 * How a component changes a table. `define`: creates or replaces it; `alter`: adds, drops or renames columns;
 * `insert`: adds rows; `change`: updates or deletes rows; `drop`: removes it.
 */
export type WriteMode = 'define' | 'alter' | 'insert' | 'change' | 'drop';

export interface TableWrite extends TableUse {
  readonly mode: WriteMode;
  /** All columns of a table after `define` or `alter`; undefined if they are not known. */
  readonly columns?: KnownTable | undefined;
  /** Columns that an `insert` or a `change` lists; undefined if they are not known. */
  readonly written?: readonly string[] | undefined;
}

/** Something that fails in every run that reaches it. */
export interface BindingProblem {
  /** Undefined if the pipeline cannot start. */
  readonly component: string | undefined;
  readonly place: Place;
  /** Without the place. */
  readonly message: string;
  readonly code: SqlErrorCode | undefined;
  /** The first name of the message: the column of a problem about one. */
  readonly column: string | undefined;
  /** The tables that the component reads or writes. */
  readonly tables: readonly TableName[];
}

/** Further tables that an unbound component or statement may write, in addition to those that it certainly writes. */
export interface OtherUses {
  /** `named`: each table that it names; `any`: if it names none, each table. */
  readonly others: 'none' | 'named' | 'any';
  /** The text of a statement, which names tables; undefined if all texts of the component do. */
  readonly text?: string | undefined;
}

/** A component that could not be bound, with the reason. A component with a problem is one too. */
export interface UnknownComponent extends OtherUses {
  readonly component: string;
  readonly place: Place;
  /** Where the component or the statement is, as its reads and writes have it. */
  readonly part: Place;
  readonly reason: string;
  /** The tables that it reads or writes, as far as they are known. */
  readonly tables: readonly TableName[];
  /** Variables without a known value that it uses. */
  readonly variables: readonly string[];
  /** Whether the reason is only that one of its sources could not be bound. */
  readonly isAfterOther: boolean;
  /** The variable without a known value that the name of a table depends on; undefined if no name does. */
  readonly unnamed: string | undefined;
}

/** A component that uses a table whose name depends on a variable without a known value. */
export interface OpenUse extends TableUse {
  /** Its name, with `*` in place of what is not known. */
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
  /** Columns whose values become part of its values: unchanged or cast, computed within a row, or over several rows. */
  readonly values: readonly (ColumnName & { readonly use: ValueUse })[];
  /** Columns that choose which values it gets: the order of a window, the filter of an aggregate. */
  readonly choices: readonly ColumnName[];
  /** The components of the same pipeline that compute it, in their order. */
  readonly computedIn: readonly string[];
}

/** The tables from which a component takes the rows that it writes to a table. */
export interface WriteLineage extends Omit<TableUse, 'table'> {
  /** Undefined if its name depends on a variable that has no known value. */
  readonly table: TableName | undefined;
  readonly mode: WriteMode;
  /** Only the columns that it writes; empty if it only removes rows. */
  readonly columns: readonly ColumnLineage[];
  /** Columns that decide which rows it writes, changes or removes. */
  readonly rows: readonly ColumnName[];
  /** All tables that it reads. */
  readonly tables: readonly TableName[];
  /** Why there may be other sources than these; empty if all are known. */
  readonly unknown: readonly string[];
}

/** What binding found out about the data of one pipeline, without the pipelines that it calls. */
export interface BoundPipeline {
  readonly reads: readonly TableRead[];
  readonly writes: readonly TableWrite[];
  readonly problems: readonly BindingProblem[];
  readonly unknown: readonly UnknownComponent[];
  readonly open: readonly OpenUse[];
  /** Empty unless it is asked for. */
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
