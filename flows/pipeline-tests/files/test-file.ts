import type { Decimal } from '../../../lib/core/values/decimal.ts';
import type {
  Located,
  Place,
  PlaceOf,
  WrittenColumn,
  WrittenRows,
  WrittenTable,
} from '../../../engine/index.ts';
import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import type { YamlSource } from '../../../lib/yaml/read-yaml.ts';
import type { YamlMap, YamlNode } from '../../../lib/yaml/yaml-node.ts';

/** A position in a file of the project; lines and columns count from 1. */
export type TestPlace = Place;

export interface TestVariable {
  readonly name: Located;
  /** A scalar, or a list of rows for a grid. */
  readonly node: YamlNode;
  readonly place: Place;
  /** The position of a part of the value. */
  readonly placeOf: PlaceOf;
  readonly value: string | Grid;
}

export interface TestMock {
  /** As written: `Component` or `pipeline path#Component`. */
  readonly name: Located;
  readonly outcome: 'success' | 'failure';
  readonly message: string | undefined;
  readonly tables: readonly WrittenTable[];
  readonly output: WrittenTable | undefined;
  readonly variables: readonly TestVariable[];
  readonly rows: WrittenRows | undefined;
  /** The answer of an `if`. */
  readonly condition: boolean | undefined;
  /** The keys that the mock has. */
  readonly keys: ReadonlySet<string>;
  /** The position of a key; of the name if the mock does not have the key. */
  readonly placeOf: (key: string) => TestPlace;
}

export interface ExpectedTable {
  readonly name: Located;
  readonly isAbsent: boolean;
  readonly rows: WrittenRows | undefined;
  readonly count: { readonly value: number; readonly place: Place } | undefined;
  readonly isOrdered: boolean;
  readonly tolerance: Decimal;
}

export interface ExpectedOutcome {
  readonly isSuccess: boolean;
  readonly place: Place;
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
  readonly place: Place;
  readonly variables: readonly TestVariable[];
  /** The time at which the pipeline starts, in milliseconds since the epoch. */
  readonly startsAt: number;
  readonly timeoutMs: number;
  readonly given: readonly WrittenTable[];
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
