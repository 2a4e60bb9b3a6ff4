import { isNode, nodesOf, numberAt, type PlanNode, textAt } from './plan-node.ts';
import {
  chosenBy,
  combine,
  type DerivedColumn,
  noColumn,
  type Relation,
  sourcesOf,
  UnknownPlan,
} from './relation.ts';

/** The parts of an expression that its value is computed from. */
const partsOf: Readonly<Record<string, (node: PlanNode) => readonly unknown[]>> = {
  BOUND_FUNCTION: ({ children }) => nodesOf(children),
  BOUND_COMPARISON: ({ left, right }) => [left, right],
  BOUND_CONJUNCTION: ({ children }) => nodesOf(children),
  BOUND_OPERATOR: ({ children }) => nodesOf(children),
  BOUND_BETWEEN: ({ input, lower, upper }) => [input, lower, upper],
  BOUND_UNNEST: ({ child }) => [child],
  BOUND_CASE: ({ case_checks: checks, else_expr: otherwise }) => [
    ...nodesOf(checks).flatMap(({ when_expr: when, then_expr: then }) => [when, then]),
    otherwise,
  ],
};

/**
 * Finds the columns from which an expression computes its value. The expression reads the rows of `input`. Throws
 * UnknownPlan.
 */
export function deriveColumn(expression: unknown, input: Relation): DerivedColumn {
  if (!isNode(expression)) throw new UnknownPlan('an expression that is missing');
  const kind = textAt(expression, 'expression_class');
  const derive = (part: unknown) => deriveColumn(part, input);
  switch (kind) {
    case 'BOUND_REF':
      return columnAt(input, numberAt(expression, 'index'));
    case 'BOUND_COLUMN_REF':
      return columnOfKey(input, expression);
    case 'BOUND_CONSTANT':
      return noColumn;
    case 'BOUND_CAST':
      return derive(expression['child']);
    case 'BOUND_AGGREGATE':
      return chosenBy(
        combine(nodesOf(expression['children']).map(derive), 'aggregated'),
        sourcesOf([...optional(expression['filter']), ...ordersOf(expression['order_bys'])].map(derive)),
      );
    case 'BOUND_WINDOW':
      return windowColumn(expression, derive);
    default: {
      const parts = partsOf[kind];
      if (parts === undefined) throw new UnknownPlan(`the expression ${kind}`);
      return combine(parts(expression).map(derive));
    }
  }
}

function windowColumn(node: PlanNode, derive: (part: unknown) => DerivedColumn): DerivedColumn {
  const { children, partitions, filters, orders } = node;
  const use = textAt(node, 'type') === 'WINDOW_AGGREGATE' ? 'aggregated' : 'computed';
  const values = [...nodesOf(children), ...optional(node['default_expr'])];
  const bounds = ['start_expr', 'end_expr', 'offset_expr'].flatMap((key) => optional(node[key]));
  const choices = [
    ...nodesOf(partitions),
    ...bounds,
    ...optional(filters),
    ...expressionsOf(orders),
    ...expressionsOf(node['arg_orders']),
  ];
  return chosenBy(combine(values.map(derive), use), sourcesOf(choices.map(derive)));
}

function optional(value: unknown): readonly PlanNode[] {
  return isNode(value) ? [value] : [];
}

/** The expressions in the ORDER BY of an aggregate or a DISTINCT. Empty if there is no ORDER BY. */
export function ordersOf(modifier: unknown): readonly unknown[] {
  return isNode(modifier) ? expressionsOf(modifier['orders']) : [];
}

export function expressionsOf(orders: unknown): readonly unknown[] {
  return nodesOf(orders).map(({ expression }) => expression);
}

export function columnAt({ columns }: Relation, index: number): DerivedColumn {
  const column = columns[index];
  if (column === undefined) throw new UnknownPlan(`a column beyond the ${columns.length} of its operator`);
  return column;
}

/** Below a table function, columns are named by the table and the place where they come from. */
function columnOfKey({ columns, keys = [] }: Relation, { binding, depth }: PlanNode): DerivedColumn {
  const key = isNode(binding)
    ? columnKey(numberAt(binding, 'table_index'), numberAt(binding, 'column_index'))
    : '';
  const column = columns[keys.indexOf(key)];
  if (column === undefined || (typeof depth === 'number' && depth > 0))
    throw new UnknownPlan('a column of an outer query');
  return column;
}

export function columnKey(table: number, column: number): string {
  return `${table}.${column}`;
}
