import type { Place, TableName, ValueUse, WriteMode } from '../../../engine/index.ts';

/** A component in a file. */
export interface ComponentPlace extends Place {
  readonly pipeline: string;
  readonly component: string;
}

/** A column of a lineage. */
export interface LineageColumn extends TableName {
  /** The whole name, which the other parts of the report use. */
  readonly id: string;
  readonly column: string;
  /** Whether no pipeline of the project creates the table or writes the column. */
  readonly isOutside: boolean;
  /** Why the column may come from elsewhere, too. */
  readonly unknown: readonly UnknownSource[];
}

export interface UnknownSource {
  readonly reason: string;
  /** The component that writes the table; undefined if it is not known. */
  readonly writer?: ComponentPlace;
}

/** A component that puts values of one column into another. */
export interface LineageLink {
  /** The id of the column; undefined for values that come from no column: constants, numbers of rows, the time. */
  readonly from?: string;
  readonly to: string;
  readonly use: ValueUse;
  readonly mode: WriteMode;
  readonly writer: ComponentPlace;
  /** The components that compute the value, in their order. */
  readonly computedIn: readonly ComponentPlace[];
}

/**
 * A column that decides which rows a component writes, or which values a column gets, but whose values are not
 * written.
 */
export interface LineageDecision {
  readonly from: string;
  /** The id of the table whose rows it decides about, or of the column whose values it chooses. */
  readonly to: string;
  readonly about: 'rows' | 'values';
  readonly writer: ComponentPlace;
}

/** A component that uses a column but writes it to no table. */
export interface LineageRead {
  readonly from: string;
  readonly reader: ComponentPlace;
  /** Why it is not known what the component does with the column. */
  readonly unknown?: string;
}

/** The columns from which a column, or all columns of a table, are computed, and the components that read them. */
export interface LineageReport {
  readonly table: TableName;
  /** Left out for all columns of the table. */
  readonly column?: string;
  /** First the columns of the start. */
  readonly columns: readonly LineageColumn[];
  readonly links: readonly LineageLink[];
  readonly decisions: readonly LineageDecision[];
  readonly reads: readonly LineageRead[];
  /**
   * Components that use a table whose name depends on a variable without a known value: it may be one of these. Without a variable, they
   * run SQL that is known only at run time.
   */
  readonly unnamed: readonly { readonly variable?: string; readonly user: ComponentPlace }[];
  /** How many components of the project write a table, and of how many of these all sources are known. */
  readonly writes: { readonly known: number; readonly total: number };
}
