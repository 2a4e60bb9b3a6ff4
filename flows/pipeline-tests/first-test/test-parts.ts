import type { FailedComponent } from '../../../engine/index.ts';
import type { ExampleColumn } from './examples/example-columns.ts';
import { firstTrial, type RowTrials } from './row-trials.ts';
import type { TestProject } from '../files/test-project.ts';

/** The parts of a first test that were found necessary so far. */
export interface TestParts {
  readonly pipeline: string;
  /** The path of its file. */
  readonly path: string;
  readonly file: string;
  /** A type for a column of which only the name is known. */
  readonly guess: (column: string, project: TestProject) => string;
  /** Tables that the pipeline reads, by the name that the test gives them. */
  readonly tables: Map<string, ExampleColumn[]>;
  /** Which example rows the tables have. */
  readonly rows: RowTrials;
  /** Tables with an invented column: a table needs a column, and none of this table is known yet. */
  readonly unknown: Set<string>;
  /** Tables that have the columns of an INSERT's query. */
  readonly inserted: Set<string>;
  /** What writes the lines of each mock, by its name as YAML writes it: its values depend on the other parts. */
  readonly mocks: Map<string, () => string>;
  /** Variables of the project that the pipeline uses. */
  readonly variables: Set<string>;
  /** Columns that variables must list, as the pipeline reads them. */
  readonly listed: Map<string, Set<string>>;
  /** Values with which conditions decide as they should. */
  readonly wanted: Map<string, string>;
  /** Conditions that were made to decide otherwise. */
  readonly decided: Set<string>;
  /** Why components are mocked that the engine refuses, or assertions that the example rows do not meet. */
  readonly replaced: FailedComponent[];
}

export function noParts(options: Pick<TestParts, 'pipeline' | 'path' | 'file' | 'guess'>): TestParts {
  return {
    ...options,
    tables: new Map(),
    rows: firstTrial(),
    unknown: new Set(),
    inserted: new Set(),
    mocks: new Map(),
    variables: new Set(),
    listed: new Map(),
    wanted: new Map(),
    decided: new Set(),
    replaced: [],
  };
}
