import type { TableName } from '../core/relation.ts';

/**
 * How the value of a source column is used: it is copied or cast, used in a computation within one row, or used in a
 * computation over several rows.
 */
export type ValueUse = 'copied' | 'computed' | 'aggregated';

const uses: readonly ValueUse[] = ['copied', 'computed', 'aggregated'];

/**
 * A column of a table or view. Within one trace, each column is represented by a single object, so objects can be
 * compared by identity.
 */
export interface SourceColumn {
  readonly table: TableName;
  readonly column: string;
}

/** The source columns from which a column gets its values. */
export interface DerivedColumn {
  /** The columns whose values become part of this column's values. */
  readonly values: ReadonlyMap<SourceColumn, ValueUse>;
  /**
   * The columns that decide which values this column gets, such as the order of a window or the filter of an
   * aggregate.
   */
  readonly choices: ReadonlySet<SourceColumn>;
  /** The common table expressions that compute this column, in their order. */
  readonly computedIn: ReadonlySet<string>;
  /** Whether the column was computed after the last common table expression. */
  readonly isComputedHere: boolean;
}

/**
 * The rows that an operator of a plan returns: where the values of its columns come from, and what decides which rows
 * there are.
 */
export interface Relation {
  readonly columns: readonly DerivedColumn[];
  /** The keys with which some expressions refer to the columns, in the order of the columns. */
  readonly keys?: readonly string[];
  /** The columns that decide which rows there are. */
  readonly rows: ReadonlySet<SourceColumn>;
  /** All tables that are read. */
  readonly tables: ReadonlySet<TableName>;
  /** Whether there is always exactly one row. */
  readonly isOneRow?: boolean;
  /** The columns by which the rows are ordered. The order affects which rows there are only if a limit follows. */
  readonly order?: ReadonlySet<SourceColumn>;
}

/** Thrown for a part of a plan that the analysis does not support. */
export class UnknownPlan extends Error {
  override readonly name = 'UnknownPlan';
}

/** A column without source columns, such as a constant. */
export const noColumn: DerivedColumn = {
  values: new Map(),
  choices: new Set(),
  computedIn: new Set(),
  isComputedHere: false,
};

export const noRows: Relation = { columns: [], rows: new Set(), tables: new Set() };

/**
 * A column that is computed from several columns. `use` is the weakest form in which the computation uses each of
 * them.
 */
export function combine(parts: readonly DerivedColumn[], use: ValueUse = 'computed'): DerivedColumn {
  return { ...merge(parts, use), isComputedHere: true };
}

/** A column whose value in each row is the value of one of several columns. */
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

/** All source columns of the given columns. */
export function sourcesOf(columns: readonly DerivedColumn[]): ReadonlySet<SourceColumn> {
  return union(...columns.flatMap(({ values, choices }) => [values.keys(), choices]));
}

/** A column whose values also depend on other columns, which choose between values. */
export function chosenBy(column: DerivedColumn, choices: Iterable<SourceColumn>): DerivedColumn {
  return { ...column, choices: union(column.choices, choices) };
}
