import type { Grid } from '../../lib/pipelines/grid.ts';
import type { YamlSource } from '../../lib/yaml/read-yaml.ts';
import type { Span, YamlMap, YamlNode } from '../../lib/yaml/yaml-node.ts';

/** A position in a file of the project; lines and columns count from 1. */
export interface TestPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A name or text of a test file with its position. */
export interface Located {
  readonly text: string;
  readonly place: TestPlace;
}

/** A row as written: in a test file, or in a file that it names. */
export interface WrittenRow {
  readonly cells: ReadonlyMap<string, YamlNode>;
  readonly place: TestPlace;
  /** The position of a cell; of the row where the cell is left out. */
  readonly placeOf: (column: string) => TestPlace;
}

export interface WrittenRows {
  /** In the order of their first appearance; a CSV file has columns also without rows. */
  readonly columns: readonly string[];
  readonly rows: readonly WrittenRow[];
  /** Whether the file has no types, as CSV: a column of numbers and texts is a column of texts. */
  readonly isUntyped: boolean;
}

/** A type of a column as written. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: string;
  readonly place: TestPlace;
}

/** Rows and types for one table. */
export interface TestTable {
  readonly name: Located;
  readonly columns: readonly WrittenColumn[];
  readonly content: WrittenRows;
}

export interface TestVariable {
  readonly name: Located;
  /** A scalar, or a list of rows for a grid. */
  readonly node: YamlNode;
  readonly place: TestPlace;
  readonly value: string | Grid;
}

export interface TestMock {
  /** As written: `Component` or `pipeline path#Component`. */
  readonly name: Located;
  readonly outcome: 'success' | 'failure';
  readonly message: string | undefined;
  readonly tables: readonly TestTable[];
  readonly output: TestTable | undefined;
  readonly variables: readonly TestVariable[];
  readonly rows: WrittenRows | undefined;
}

export interface ExpectedTable {
  readonly name: Located;
  readonly isAbsent: boolean;
  readonly rows: WrittenRows | undefined;
  readonly count: { readonly value: number; readonly place: TestPlace } | undefined;
  readonly isOrdered: boolean;
  readonly tolerance: number;
}

export interface ExpectedOutcome {
  readonly isSuccess: boolean;
  readonly place: TestPlace;
  readonly component: Located | undefined;
  readonly message: Located | undefined;
}

export interface Expectations {
  readonly outcome: ExpectedOutcome;
  readonly tables: readonly ExpectedTable[];
  readonly variables: readonly TestVariable[];
  readonly ran: readonly Located[];
  readonly notRan: readonly Located[];
}

export interface TestCase {
  readonly name: string;
  readonly place: TestPlace;
  readonly variables: readonly TestVariable[];
  /** The time at which the pipeline starts, in milliseconds since the epoch. */
  readonly startsAt: number;
  readonly timeoutMs: number;
  readonly given: readonly TestTable[];
  readonly mocks: readonly TestMock[];
  readonly expected: Expectations;
  /** For the writer of `--update`. */
  readonly node: YamlMap;
}

export interface TestFile {
  /** Relative to the project, with forward slashes. */
  readonly file: string;
  readonly pipeline: Located;
  /** Columns by table, from the file that `schemas` names. */
  readonly schemas: ReadonlyMap<string, readonly WrittenColumn[]>;
  readonly tests: readonly TestCase[];
  readonly source: YamlSource;
}

/** Turns nodes of a file into positions. */
export type PlaceOf = (span: Span) => TestPlace;
