import { columnKey, deriveColumn } from './derive-column.ts';
import { isNode, nodesOf, numberAt, type PlanNode, textAt } from './plan-node.ts';
import {
  chosenBy,
  combine,
  type DerivedColumn,
  type Relation,
  type SourceColumn,
  sourcesOf,
  union,
  UnknownPlan,
} from './relation.ts';

/** Which columns a join gives. */
const sidesOf: Readonly<Record<string, 'both' | 'left' | 'right' | 'mark' | 'single'>> = {
  INNER: 'both',
  LEFT: 'both',
  RIGHT: 'both',
  FULL: 'both',
  SEMI: 'left',
  ANTI: 'left',
  RIGHT_SEMI: 'right',
  RIGHT_ANTI: 'right',
  MARK: 'mark',
  SINGLE: 'single',
};

/** The columns of two relations next to each other. The result depends on every row of both relations. */
export function sideBySide(left: Relation, right: Relation): Relation {
  return {
    columns: [...left.columns, ...right.columns],
    keys: [...keysOf(left), ...keysOf(right)],
    rows: union(left.rows, right.rows),
    tables: union(left.tables, right.tables),
    isOneRow: left.isOneRow === true && right.isOneRow === true,
  };
}

/**
 * The columns of two relations next to each other, where one of the relations is a subquery that returns a single
 * row. That relation does not affect which rows the result has.
 */
export function crossProduct(left: Relation, right: Relation): Relation {
  const both = sideBySide(left, right);
  if (right.isOneRow === true) {
    const chosen = right.columns.map((column) => chosenBy(column, right.rows));
    return { ...both, columns: [...left.columns, ...chosen], rows: left.rows };
  }
  return both;
}

/**
 * The columns of two relations that are joined on conditions. Includes what the conditions depend on. Throws
 * UnknownPlan.
 */
export function joined(node: PlanNode, left: Relation, right: Relation): Relation {
  const type = textAt(node, 'join_type');
  const sides = sidesOf[type];
  if (sides === undefined) throw new UnknownPlan(`the join ${type}`);
  const conditions = conditionsOf(node, left, right);
  const deciding = union(sourcesOf(conditions), left.rows, right.rows);
  const both = sideBySide(left, right);
  switch (sides) {
    case 'both':
      return { ...both, rows: deciding };
    case 'left':
      return { ...both, columns: left.columns, keys: keysOf(left), rows: deciding };
    case 'right':
      return { ...both, columns: right.columns, keys: keysOf(right), rows: deciding };
    case 'mark': {
      const mark = chosenBy(combine(conditions), right.rows);
      return withColumns(both, left, [mark], [columnKey(numberAt(node, 'mark_index'), 0)]);
    }
    case 'single': {
      // At most one row for each row of the left side.
      const choices: ReadonlySet<SourceColumn> = union(sourcesOf(conditions), right.rows);
      const chosen = right.columns.map((column) => chosenBy(column, choices));
      return withColumns(both, left, chosen, keysOf(right));
    }
  }
}

function withColumns(
  both: Relation,
  left: Relation,
  columns: readonly DerivedColumn[],
  keys: readonly string[],
): Relation {
  return {
    ...both,
    columns: [...left.columns, ...columns],
    keys: [...keysOf(left), ...keys],
    rows: left.rows,
    isOneRow: left.isOneRow === true,
  };
}

function conditionsOf(node: PlanNode, left: Relation, right: Relation): readonly DerivedColumn[] {
  const both = sideBySide(left, right);
  const compared = nodesOf(node['conditions']).flatMap((condition) => [
    deriveColumn(condition['left'], left),
    deriveColumn(condition['right'], right),
  ]);
  const whole = [node['predicate'], node['condition']].filter(isNode);
  return [...compared, ...whole.map((expression) => deriveColumn(expression, both))];
}

export function keysOf({ keys, columns }: Relation): readonly string[] {
  return keys ?? columns.map(() => '');
}
