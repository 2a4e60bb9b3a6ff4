import type { TableName } from '../core/relation.ts';

/**
 * How a value is used for a column: copied or cast, computed from values of the same row, or computed from values
 * of several rows.
 */
export type ValueUse = 'copied' | 'computed' | 'aggregated';

const uses: readonly ValueUse[] = ['copied', 'computed', 'aggregated'];

/**
 * A column of a table or view. Within one trace, each column is represented by one object, so objects can be
 * compared.
 */
export interface SourceColumn {
  readonly table: TableName;
  readonly column: string;
}

/** The source columns from which the values of a column are computed. */
export interface DerivedColumn {
  /** Columns whose values become part of its values. */
  readonly values: ReadonlyMap<SourceColumn, ValueUse>;
  /** Columns that choose which values it gets, and from which rows: the order of a window, the filter of an aggregate. */
  readonly choices: ReadonlySet<SourceColumn>;
  /** The common table expressions that compute it, in their order. */
  readonly computedIn: ReadonlySet<string>;
  /** Whether it was computed since the last common table expression. */
  readonly isComputedHere: boolean;
}

/**
 * The rows that an operator of a plan gives: what its columns are computed from, and what decides which rows there
 * are.
 */
export interface Relation {
  readonly columns: readonly DerivedColumn[];
  /** The keys of the columns, by which some expressions name them, in the same order. */
  readonly keys?: readonly string[];
  /** Columns that decide which rows there are. */
  readonly rows: ReadonlySet<SourceColumn>;
  /** All tables that are read. */
  readonly tables: ReadonlySet<TableName>;
  /** Whether it always has one row. */
  readonly isOneRow?: boolean;
  /** What orders the rows, which decides about rows only below a limit. */
  readonly order?: ReadonlySet<SourceColumn>;
}

/** The error for something in a plan that the analysis does not know. */
export class UnknownPlan extends Error {
  override readonly name = 'UnknownPlan';
}

/** A column that has no source columns: a constant. */
export const noColumn: DerivedColumn = {
  values: new Map(),
  choices: new Set(),
  computedIn: new Set(),
  isComputedHere: false,
};

export const noRows: Relation = { columns: [], rows: new Set(), tables: new Set() };

/** A column that is computed from several columns. `use`: how the computation uses them at least. */
export function combine(parts: readonly DerivedColumn[], use: ValueUse = 'computed'): DerivedColumn {
  return { ...merge(parts, use), isComputedHere: true };
}

/** A column that has, in each row, the value of one of several columns. */
export function merge(parts: readonly DerivedColumn[], use: ValueUse = 'copied'): DerivedColumn {
  const values = new Map<SourceColumn, ValueUse>();
  for (const part of parts)
    for (const [column, before] of part.values) {
      const strongest = Math.max(
        ...[before, use, values.get(column) ?? 'copied'].map((each) => uses.indexOf(each)),
      );
      values.set(column, uses[strongest] ?? use);
    }
  return {
    values,
    choices: union(...parts.map(({ choices }) => choices)),
    computedIn: union(...parts.map(({ computedIn }) => computedIn)),
    isComputedHere: parts.some(({ isComputedHere }) => isComputedHere),
  };
}

export function union<Item>(...sets: readonly Iterable<Item>[]): ReadonlySet<Item> {
  return new Set(sets.flatMap((set) => [...set]));
}

/** The source columns of all given columns together. */
export function sourcesOf(columns: readonly DerivedColumn[]): ReadonlySet<SourceColumn> {
  return union(...columns.flatMap(({ values, choices }) => [values.keys(), choices]));
}

/** A column whose values also depend on other columns that choose between its values. */
export function chosenBy(column: DerivedColumn, choices: Iterable<SourceColumn>): DerivedColumn {
  return { ...column, choices: union(column.choices, choices) };
}
