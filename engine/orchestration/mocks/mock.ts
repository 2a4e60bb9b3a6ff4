import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import type { Column } from '../../core/relation.ts';
import type { SqlType } from '../../core/sql-type.ts';
import { ValueError } from '../../duckdb/fill-table.ts';
import type { Value } from '../../duckdb/connection/warehouse.ts';

/**
 * A cell of a file, kept as its text: its value depends on the type of its column. In a column of numbers `007` is
 * 7, in a column of texts it stays `007`.
 */
export class WrittenCell {
  readonly text: string;
  /** What the cell shows by itself. */
  readonly type: SqlType;
  /** Undefined if a column of the type would change the value. */
  readonly valueFor: (type: SqlType) => Value | undefined;

  constructor(text: string, type: SqlType, valueFor: WrittenCell['valueFor']) {
    this.text = text;
    this.type = type;
    this.valueFor = valueFor;
  }
}

/** A row of a mock, by the names of its columns. A column that the row does not name is null. */
export type MockRow = Readonly<Record<string, Value | WrittenCell>>;

export interface MockRows {
  /** Without them: the columns of the existing table, else what the values show (`inferColumns`). */
  readonly columns?: readonly Column[] | undefined;
  readonly rows: readonly MockRow[];
}

/**
 * What a test or a seed says to do instead of running a component. With an empty mock, the component succeeds and
 * does nothing.
 */
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
  /** The answer of an `if`; without effect elsewhere. */
  readonly condition?: boolean | undefined;
  /** Rows to add to the component's own target table; for an iterator its rounds, by column or variable. */
  readonly rows?: readonly MockRow[] | undefined;
}

/** The part of a mock that is wrong. */
export interface MockFault {
  readonly part: 'rows' | 'tables' | 'output' | 'variables';
  /** The table or the variable, as the mock names it. */
  readonly name?: string | undefined;
  /** Counts from 1. */
  readonly row?: number | undefined;
  readonly column?: string | undefined;
}

/** The error that a mock cannot be applied. The cause is the mock, not the component. */
export class MockError extends SqlError {
  readonly fault: MockFault;

  constructor(message: string, fault: MockFault) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Converts an error of the rows of a mock to a MockError that names their part of the mock. Throws any other error
 * again.
 */
export function mockError(error: unknown, fault: MockFault): MockError {
  if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
  if (!(error instanceof ValueError)) return new MockError(error.message, fault);
  const { message, row, column } = error;
  return new MockError(message, { ...fault, row, column });
}
