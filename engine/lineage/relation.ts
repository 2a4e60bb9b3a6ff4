import type { TableName } from '../core/relation.ts';

/** How a value reaches a column: unchanged or cast, computed within a row, or computed over several rows. */
export type ValueUse = 'copied' | 'computed' | 'aggregated';

const uses: readonly ValueUse[] = ['copied', 'computed', 'aggregated'];

/** A column of a table or view. Within one trace, the same column is the same object. */
export interface SourceColumn {
  readonly table: TableName;
  readonly column: string;
}

/** What the values of one column come from. */
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

/** The rows of an operator of a plan. */
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

/** Something in a plan whose meaning is not known. */
export class UnknownPlan extends Error {
  override readonly name = 'UnknownPlan';
}

/** A column without sources: a constant. */
export const noColumn: DerivedColumn = {
  values: new Map(),
  choices: new Set(),
  computedIn: new Set(),
  isComputedHere: false,
};

export const noRows: Relation = { columns: [], rows: new Set(), tables: new Set() };

/** A column computed from several ones. `use`: what the computation does at least. */
export function combine(parts: readonly DerivedColumn[], use: ValueUse = 'computed'): DerivedColumn {
  return { ...merge(parts, use), isComputedHere: true };
}

/** A column that has the values of one of several ones. */
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

/** All source columns of some columns. */
export function sourcesOf(columns: readonly DerivedColumn[]): ReadonlySet<SourceColumn> {
  return union(...columns.flatMap(({ values, choices }) => [values.keys(), choices]));
}

/** The same column, chosen by more. */
export function chosenBy(column: DerivedColumn, choices: Iterable<SourceColumn>): DerivedColumn {
  return { ...column, choices: union(column.choices, choices) };
}
