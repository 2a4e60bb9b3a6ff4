import type { FileProblem } from '../../engine/index.ts';
import type { TestPlace } from '../test/test-file.ts';
import type { Shown } from '../test/test-result.ts';

/** A row that differs, by the names of its columns. `before` is left out where it was added, `after` where it was removed. */
export interface RowChange {
  readonly before?: { readonly [column: string]: Shown };
  readonly after?: { readonly [column: string]: Shown };
}

/** A column that only one side has, or that has another type. */
export interface ColumnChange {
  readonly name: string;
  /** The type before; left out for a new column. */
  readonly before?: string;
  /** The type after; left out for a column that is gone. */
  readonly after?: string;
  /** Of a new column: its first different values, and the number of rows without a value. */
  readonly values?: readonly Shown[];
  readonly nulls?: number;
}

/** What changes in one table. */
export interface TableChange {
  /** Without database and schema where they are the defaults. */
  readonly table: string;
  readonly kind: 'created' | 'removed' | 'changed';
  /** Columns whose values identify a row on both sides. Empty where there are none: then no row counts as changed. */
  readonly key: readonly string[];
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** How many of the changed rows differ in a column. */
  readonly cells: { readonly [column: string]: number };
  readonly columns: readonly ColumnChange[];
  /** Changed rows first, then added, then removed ones; not more than `maxRowChanges`. */
  readonly rows: readonly RowChange[];
  /** Why the rows could not be compared; then the counts of rows are 0. */
  readonly unknown?: string;
  /** The component that wrote the table, where it is only one. */
  readonly component?: string;
  readonly at?: TestPlace;
}

/** How a pipeline ended. */
export interface PipelineEnd {
  readonly status: 'success' | 'failure';
  readonly component?: string;
  readonly message?: string;
}

/** What a change of pipelines changes for the rows of one test. */
export interface TestChange {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly pipeline: string;
  /** `new-pipeline`: it does not exist at the base, so the tables are compared with the given ones. */
  readonly status: 'changed' | 'new-pipeline' | 'not-compared';
  /** Set where the pipeline ends in another way than before. */
  readonly end?: { readonly before: PipelineEnd; readonly after: PipelineEnd };
  readonly tables: readonly TableChange[];
  /** Why the two runs could not be compared, where `status` is `not-compared`. */
  readonly reason?: string;
}

/** The changes of a table in all tests together. */
export interface TableTotal {
  readonly table: string;
  readonly tests: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly cells: { readonly [column: string]: number };
  /** Names of the columns that are new or gone, or that have another type. */
  readonly columns: readonly string[];
}

/** A changed pipeline about which no test says anything. */
export interface UntestedChange {
  readonly pipeline: string;
  readonly change: 'added' | 'changed' | 'deleted';
}

/** What a change of pipelines changes in the data, on the rows of the tests. */
export interface DataDiff {
  /** What the project was compared with. */
  readonly base: { readonly name: string; readonly commit: string };
  /** No file of the project differs from the base: then no test ran. */
  readonly isSame: boolean;
  /** How many tests ran. */
  readonly tests: number;
  readonly tables: readonly TableTotal[];
  /** Tests with changes, and those that could not be compared, in the order of the files. */
  readonly changes: readonly TestChange[];
  readonly untested: readonly UntestedChange[];
  /** What is wrong in test files, fixtures and pipelines: their tests are not in `changes`. */
  readonly problems?: readonly FileProblem[];
}

/** More values of a new column are not listed. */
export const maxValues = 3;

/** More rows of a table are only counted. */
export const maxRowChanges = 200;
