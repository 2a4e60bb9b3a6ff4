import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import type { Column } from '../../core/relation.ts';
import type { SqlType } from '../../core/sql-type.ts';
import { ValueError } from '../../duckdb/fill-table.ts';
import type { Value } from '../../duckdb/connection/warehouse.ts';

/**
 * A cell of a file, kept as the text in the file, because its value depends on the type of its column. In a column of
 * numbers, `007` is 7; in a column of texts, it stays `007`.
 */
export class WrittenCell {
  readonly text: string;
  /** The type that the cell by itself suggests. */
  readonly type: SqlType;
  /** Returns the value of the cell in a column of a type. Undefined if the column would change the value. */
  readonly valueFor: (type: SqlType) => Value | undefined;

  constructor(text: string, type: SqlType, valueFor: WrittenCell['valueFor']) {
    this.text = text;
    this.type = type;
    this.valueFor = valueFor;
  }
}

/** A row of a mock, by the names of its columns. A column that is not in the row is null. */
export type MockRow = Readonly<Record<string, Value | WrittenCell>>;

export interface MockRows {
  /**
   * The columns. By default, the columns of the existing table, or if there is none, the columns that `inferColumns`
   * chooses for the values.
   */
  readonly columns?: readonly Column[] | undefined;
  readonly rows: readonly MockRow[];
}

/**
 * What a test or a seed defines instead of running a component. With an empty mock, the component succeeds and does
 * nothing.
 */
export interface Mock {
  /** The outcome, `success` by default. With `failure`, only `message` is used. */
  readonly outcome?: 'success' | 'failure' | undefined;
  /** The message of the step. */
  readonly message?: string | undefined;
  /**
   * Rows to add to tables. The key is the name of a table in a form that `readTableText` reads. A table that does not
   * exist is created.
   */
  readonly tables?: ReadonlyMap<string, MockRows> | undefined;
  /** The whole output of a component of a transformation. */
  readonly output?: MockRows | undefined;
  /** Variables that the component sets. The value is a text (also for a number), or the rows of a grid. */
  readonly variables?: ReadonlyMap<string, string | Grid> | undefined;
  /** The result of the condition of an `if`. It has no effect for other components. */
  readonly condition?: boolean | undefined;
  /**
   * Rows to add to the component's own target table. For an iterator: its iterations, with values by the name of a
   * column or variable.
   */
  readonly rows?: readonly MockRow[] | undefined;
}

/** The part of a mock that has a mistake. */
export interface MockFault {
  readonly part: 'rows' | 'tables' | 'output' | 'variables';
  /** The table or the variable, as the mock names it. */
  readonly name?: string | undefined;
  /** The number of the row. The first row is 1. */
  readonly row?: number | undefined;
  readonly column?: string | undefined;
}

/** Thrown if a mock cannot be applied because of a mistake in the mock, and not in the component. */
export class MockError extends SqlError {
  readonly fault: MockFault;

  constructor(message: string, fault: MockFault) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Converts an error about the rows of a mock to a MockError that names the part of the mock. Rethrows any other
 * error.
 */
export function mockError(error: unknown, fault: MockFault): MockError {
  if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
  if (!(error instanceof ValueError)) return new MockError(error.message, fault);
  const { message, row, column } = error;
  return new MockError(message, { ...fault, row, column });
}
