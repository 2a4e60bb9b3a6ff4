import type {
  ColumnChange,
  ComponentPlace,
  DataDiff,
  PipelineEnd,
  RowChange,
  TableChange,
} from '../diff/data-diff.ts';

/** A column of a sample that is not as the project expects, and that no pipeline of the run reads. */
export interface SampleRemark {
  readonly column: string;
  readonly what: 'missing' | 'extra' | 'other-type';
  /** The type that the project expects; left out for an extra column. */
  readonly expected?: string;
  /** The type in the files; left out for a missing column. */
  readonly type?: string;
}

/** A table whose rows come from Parquet files. */
export interface SampleTable {
  /** Without database and schema if they are the defaults. */
  readonly table: string;
  /** Relative to the folder of the samples. */
  readonly files: readonly string[];
  readonly rows: number;
  readonly remarks: readonly SampleRemark[];
}

/** A pipeline that ran on the samples. */
export interface SampledPipeline {
  /** The path of its file. */
  readonly pipeline: string;
  /** `new`: the base does not have it, so only the samples are there at the base. */
  readonly status: 'compared' | 'new' | 'not-compared';
  /** Set if it ends in another way than before, or if it fails. Messages have no values of rows. */
  readonly end?: { readonly before?: PipelineEnd; readonly after: PipelineEnd };
  /** Why the two runs could not be compared. */
  readonly reason?: string;
  /** Components that load from outside; their tables have the rows of the samples instead. */
  readonly replacedLoads: readonly ComponentPlace[];
}

/** What changes in a column. */
export interface ColumnCount extends Pick<ColumnChange, 'name' | 'before' | 'after' | 'renamedFrom'> {
  /** How many of the rows that both sides have differ in it. */
  readonly changed: number;
  /** Rows without a value; left out on a side that does not have the column. */
  readonly nullsBefore?: number;
  readonly nullsAfter?: number;
}

/** The changes in one table that pipelines write. */
export interface SampledTableChange extends Pick<
  TableChange,
  'table' | 'kind' | 'key' | 'added' | 'removed' | 'changed' | 'unknown' | 'component' | 'at'
> {
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  /** `given`: by samples.yaml; `declared`: by the table or by a component that updates it; `found`: its values are unique. */
  readonly keyFrom?: 'given' | 'declared' | 'found';
  /**
   * A given or declared key that does not identify a row, with the number of rows that share its values with another row. Then rows are
   * compared as a whole, and none counts as changed.
   */
  readonly brokenKey?: {
    readonly columns: readonly string[];
    readonly from: 'given' | 'declared';
    readonly rowsBefore: number;
    readonly rowsAfter: number;
  };
  /** Columns that differ in a row, in their type or in the number of nulls, and columns of one side only. */
  readonly columns: readonly ColumnCount[];
  /** Examples; empty unless rows may be shown. */
  readonly rows: readonly RowChange[];
}

/** What a change of pipelines changes in the data, on samples of real tables. */
export interface SampleDiff {
  readonly base: DataDiff['base'];
  /** No file of the project differs from the base: then no pipeline ran. */
  readonly isSame: boolean;
  readonly samples: readonly SampleTable[];
  /** In the order in which they ran. */
  readonly pipelines: readonly SampledPipeline[];
  /** Tables with changes, and those that could not be compared, in the order in which they are written. */
  readonly tables: readonly SampledTableChange[];
  /** How many tables that the pipelines write are equal on both sides. */
  readonly equalTables: number;
  /** Tables that the pipelines read and that have no sample. */
  readonly withoutSample: readonly string[];
  /** Tables that pipelines add rows to; the run began with empty ones. */
  readonly startedEmpty: readonly string[];
  /** Tables with a key in samples.yaml that no pipeline wrote, or that lack a column of it. */
  readonly unusedKeys: readonly string[];
  /** If no pipelines were chosen: paths of changed pipelines that read a sampled table themselves. */
  readonly changedReaders: readonly string[];
}
