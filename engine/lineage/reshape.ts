import { columnAt, columnKey, deriveColumn } from './derive-column.ts';
import { keysOf } from './joins.ts';
import { nodesOf, numberAt, numbersOf, type PlanNode } from './plan-node.ts';
import { noColumn, noRows, type Relation, union } from './relation.ts';

export function limited(input: Relation): Relation {
  return { ...input, rows: union(input.rows, input.order ?? []), isOneRow: false };
}

/** Grows with everything that a relation depends on, and changes with each way in which it does. */
export function sizeOf({ columns, rows, tables }: Relation): string {
  const parts = columns.map(({ values, choices, computedIn }) => [
    [...values.values()].toSorted(),
    choices.size,
    computedIn.size,
  ]);
  return JSON.stringify([parts, rows.size, tables.size]);
}

export function together(parts: readonly Relation[]): Relation {
  return {
    columns: [],
    rows: union(...parts.map(({ rows }) => rows)),
    tables: union(...parts.map(({ tables }) => tables)),
  };
}

/** The columns of its input, and those that its expressions compute. */
export function extended(input: Relation, node: PlanNode, table: string): Relation {
  const made = nodesOf(node['expressions']).map((expression) => deriveColumn(expression, input));
  const keys = made.map((_, index) => columnKey(numberAt(node, table), index));
  return { ...input, columns: [...input.columns, ...made], keys: [...keysOf(input), ...keys] };
}

export function ofCommonTable(rows: Relation, name: string): Relation {
  const columns = rows.columns.map((column) =>
    column.isComputedHere
      ? { ...column, computedIn: union(column.computedIn, [name]), isComputedHere: false }
      : column,
  );
  return { ...rows, columns };
}

/** The same rows with some of their columns. An empty list means all. */
export function picked(rows: Relation, list: unknown): Relation {
  const indexes = numbersOf(list);
  if (indexes.length === 0) return rows;
  const keys = keysOf(rows);
  return {
    ...rows,
    columns: indexes.map((index) => columnAt(rows, index)),
    keys: indexes.map((index) => keys[index] ?? ''),
  };
}

export function named(node: PlanNode, table: string, rows: Relation): Relation {
  return { ...rows, keys: rows.columns.map((_, index) => columnKey(numberAt(node, table), index)) };
}

export function constants(node: PlanNode): Relation {
  return named(node, 'table_index', { ...noRows, columns: nodesOf(node['chunk_types']).map(() => noColumn) });
}
