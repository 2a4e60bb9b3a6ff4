import type { Grid } from '../../lib/pipelines/grid.ts';
import type { Column } from '../core/relation.ts';
import type { Value } from '../duckdb/warehouse.ts';

/** A row by the names of its columns; a column that the row leaves out is null there. */
export type MockRow = Readonly<Record<string, Value>>;

export interface MockRows {
  /** Without them: the columns of the existing table, else what the values show (`inferColumns`). */
  readonly columns?: readonly Column[] | undefined;
  readonly rows: readonly MockRow[];
}

/** What replaces a component. An empty mock succeeds and does nothing else. */
export interface Mock {
  /** Default: `success`. With `failure`, only `message` has a meaning. */
  readonly outcome?: 'success' | 'failure' | undefined;
  /** The message of the step. */
  readonly message?: string | undefined;
  /** Rows to add, by the name of their table as `readTableText` reads it; a missing table is created. */
  readonly tables?: ReadonlyMap<string, MockRows> | undefined;
  /** The whole output of a component of a transformation. */
  readonly output?: MockRows | undefined;
  /** Variables that the component sets: a text, also for numbers, or the rows of a grid. */
  readonly variables?: ReadonlyMap<string, string | Grid> | undefined;
  /** Rows to add to the component's own target table; for an iterator its rounds, by column or variable. */
  readonly rows?: readonly MockRow[] | undefined;
}
