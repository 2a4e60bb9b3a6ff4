import type { FileProblem } from '../../engine/index.ts';
import type { TestPlace } from '../pipeline-tests/files/test-file.ts';
import type { Shown } from '../pipeline-tests/compare/test-result.ts';

/** A row that differs, by column name. An added row has no `before`, a removed row no `after`. */
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
  /** The old name of a column that has another name now, and the same values. */
  readonly renamedFrom?: string;
  /** For a new column: its first different values, and the number of rows without a value. */
  readonly values?: readonly Shown[];
  readonly nulls?: number;
}

/** What changes in one table. */
export interface TableChange {
  /** Without database and schema if they are the defaults. */
  readonly table: string;
  /** `created` and `removed`: only one side leaves the table. */
  readonly kind: 'created' | 'removed' | 'changed';
  /** Columns whose values identify a row on both sides. Empty if there are none: then no row counts as changed. */
  readonly key: readonly string[];
  /** Columns that are named like a key and identified a row only before the change, with the first value that several rows have now. */
  readonly lostKey?: {
    readonly columns: readonly string[];
    readonly values: readonly Shown[];
    readonly rows: number;
  };
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** How many of the changed rows differ in a column. */
  readonly cells: { readonly [column: string]: number };
  readonly columns: readonly ColumnChange[];
  /** Changed rows first, then added and removed ones in turn; not more than `maxRowChanges`. */
  readonly rows: readonly RowChange[];
  /** Why the rows could not be compared; then the counts of rows are 0. */
  readonly unknown?: string;
  /** The component that wrote the table last; of a table that is left no longer, the one at the base. */
  readonly component?: string;
  readonly at?: TestPlace;
}

/** How a pipeline ended. */
export interface PipelineEnd {
  readonly status: 'success' | 'failure';
  readonly component?: string;
  readonly message?: string;
  /** The test expects a failure, and not this end. Only of the end on disk. */
  readonly isUnexpected?: boolean;
}

/** A component, with the line of its pipeline as it is on disk. */
export interface ComponentPlace {
  readonly component: string;
  readonly at: TestPlace;
}

/** What a change of pipelines changes in the data of one test. */
export interface TestChange {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly pipeline: string;
  /** `new-pipeline`: it does not exist at the base, so the tables are compared with the given ones, unless it fails. */
  readonly status: 'changed' | 'new-pipeline' | 'not-compared';
  /** `own`: the old pipeline cannot run on the test's rows, so it ran on the rows that the test had at the base. */
  readonly rowsAtBase: 'same' | 'own';
  /** Set if the pipeline ends in another way than before, or not as its test expects. No `before`: the pipeline is new. */
  readonly end?: { readonly before?: PipelineEnd; readonly after: PipelineEnd };
  /** Components that exist on both sides, and ran only before. */
  readonly stopped: readonly ComponentPlace[];
  /** Components that exist on both sides, and run only now. */
  readonly started: readonly ComponentPlace[];
  /** In the order in which the pipelines write them. */
  readonly tables: readonly TableChange[];
  /** How many tables that the pipelines write are equal on both sides. */
  readonly equalTables: number;
  /** Why the two runs could not be compared, if `status` is `not-compared`. */
  readonly reason?: string;
}

/** The changes of one table, summed over all tests. */
export interface TableTotal {
  readonly table: string;
  /** In how many tests it changes. */
  readonly tests: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly cells: { readonly [column: string]: number };
  /** The changed columns as text, such as `new column AMOUNT`. */
  readonly columns: readonly string[];
}

/** A changed file or component that no test runs, so that the diff says nothing about it. */
export interface UntestedChange {
  /** A pipeline, or a file that pipelines use. */
  readonly file: string;
  readonly change: 'added' | 'changed' | 'deleted';
  /** Set if tests run the pipeline, but not this component of it. */
  readonly component?: string;
  readonly line?: number;
  /** A test mocks the component. */
  readonly isMocked?: boolean;
  /** A submodule. Both sides have its files from disk. */
  readonly isSubmodule?: boolean;
}

/** Whether other rows would show a difference, for a changed pipeline whose tests show none. */
export interface RowsForChange {
  readonly pipeline: string;
  /** `none-found`: the change may have no effect. `not-searched`: the time was used up. */
  readonly status: 'found' | 'none-found' | 'not-searched';
  /** The test whose variables and mocks the search took. */
  readonly test?: { readonly file: string; readonly line: number; readonly name: string };
  /** The rows of all inputs of the test; values as texts. */
  readonly given?: readonly {
    readonly table: string;
    readonly rows: readonly { readonly [column: string]: string | null }[];
  }[];
  readonly tables?: readonly TableChange[];
  /** With the rows, only one of the two versions succeeds. */
  readonly isOtherEnd?: boolean;
}

/** What a change of pipelines changes in the data, on the rows of the tests. */
export interface DataDiff {
  /** What the project was compared with: the commit `name`, or the one where the branch left it. */
  readonly base: { readonly name: string; readonly commit: string; readonly isFork: boolean };
  /** No file of the project differs from the base, and git knows all that pipelines use: then no test ran. */
  readonly isSame: boolean;
  /** Only some tests of the project were chosen. */
  readonly isPartial: boolean;
  /** How many tests ran. */
  readonly tests: number;
  /** How many of them read something that differs, so that they ran on both sides. */
  readonly compared: number;
  /** How many further tests did not run, because the change cannot change their results; only if affected tests were asked for. */
  readonly leftOut?: number;
  readonly tables: readonly TableTotal[];
  /** Tests with changes, and those that could not be compared, in the order of the files. */
  readonly changes: readonly TestChange[];
  readonly untested: readonly UntestedChange[];
  /** For pipelines whose tests show no difference; only if the request asks for such rows. */
  readonly rows?: readonly RowsForChange[];
  /** What is wrong in test files, fixtures and pipelines; tests that need them are not compared. */
  readonly problems?: readonly FileProblem[];
}

/** The maximum number of listed values of a new column. */
export const maxValues = 3;

/** The maximum number of listed rows of a table; further rows are only counted. */
export const maxRowChanges = 200;
