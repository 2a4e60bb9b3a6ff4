import { columnAt, columnKey, deriveColumn } from './derive-column.ts';
import { keysOf } from './joins.ts';
import { nodesOf, numberAt, numbersOf, type PlanNode } from './plan-node.ts';
import { noColumn, noRows, type Relation, union } from './relation.ts';

/**
 * The rows of an input after a LIMIT. The columns by which the input is ordered then also decide which rows there
 * are.
 */
export function withLimit(input: Relation): Relation {
  return { ...input, rows: union(input.rows, input.order ?? []), isOneRow: false };
}

/**
 * A text that differs whenever a dependency or a new kind of use was added to a relation. If the text stays the same,
 * nothing was added.
 */
export function sizeOf({ columns, rows, tables }: Relation): string {
  const parts = columns.map(({ values, choices, computedIn }) => [
    [...values.values()].toSorted(),
    choices.size,
    computedIn.size,
  ]);
  return JSON.stringify([parts, rows.size, tables.size]);
}

/**
 * The columns that decide the rows of several relations, and the tables that the relations read. The columns of the
 * relations are left out.
 */
export function mergeRows(parts: readonly Relation[]): Relation {
  return {
    columns: [],
    rows: union(...parts.map(({ rows }) => rows)),
    tables: union(...parts.map(({ tables }) => tables)),
  };
}

/** The columns of an input, followed by the columns that an operator computes from them. */
export function withComputedColumns(input: Relation, node: PlanNode, table: string): Relation {
  const made = nodesOf(node['expressions']).map((expression) => deriveColumn(expression, input));
  const keys = made.map((_, index) => columnKey(numberAt(node, table), index));
  return { ...input, columns: [...input.columns, ...made], keys: [...keysOf(input), ...keys] };
}

/** The rows of a common table expression. The columns that it computes are recorded as computed in `name`. */
export function fromCommonTable(rows: Relation, name: string): Relation {
  const columns = rows.columns.map((column) =>
    column.isComputedHere
      ? { ...column, computedIn: union(column.computedIn, [name]), isComputedHere: false }
      : column,
  );
  return { ...rows, columns };
}

/** The rows of a relation, with only the columns at the given indexes. An empty list means all columns. */
export function selectColumns(rows: Relation, list: unknown): Relation {
  const indexes = numbersOf(list);
  if (indexes.length === 0) return rows;
  const keys = keysOf(rows);
  return {
    ...rows,
    columns: indexes.map((index) => columnAt(rows, index)),
    keys: indexes.map((index) => keys[index] ?? ''),
  };
}

/** The rows of a relation whose columns can be found by the table index in the field `table` of an operator. */
export function withTableKeys(node: PlanNode, table: string, rows: Relation): Relation {
  return { ...rows, keys: rows.columns.map((_, index) => columnKey(numberAt(node, table), index)) };
}

export function constants(node: PlanNode): Relation {
  return withTableKeys(node, 'table_index', {
    ...noRows,
    columns: nodesOf(node['chunk_types']).map(() => noColumn),
  });
}
