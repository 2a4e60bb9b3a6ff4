import { type TableName } from '../core/relation.ts';
import { columnAt, deriveColumn, expressionsOf, ordersOf } from './derive-column.ts';
import {
  constants,
  withComputedColumns,
  withLimit,
  withTableKeys,
  fromCommonTable,
  selectColumns,
  sizeOf,
  mergeRows,
} from './reshape.ts';
import { crossProduct, joined, keysOf, sideBySide } from './joins.ts';
import { isNode, nodesOf, numberAt, numbersOf, type PlanNode, textAt, textsOf } from './plan-node.ts';
import {
  combine,
  type DerivedColumn,
  merge,
  noColumn,
  noRows,
  type Relation,
  type SourceColumn,
  sourcesOf,
  union,
  UnknownPlan,
} from './relation.ts';

/** Finds the tables and columns of the warehouse for the names that DuckDB uses in a plan. */
export interface PlanTables {
  /** Finds a table by its names in DuckDB. Undefined if it is not a table of the warehouse. */
  table(schema: string, table: string): TableName | undefined;
  /** The rows of a temporary table, as an earlier trace found them. */
  temporary(table: string): Relation | undefined;
  /** Returns the object for a column. It is the same object for the same column. */
  column(table: TableName, column: string): SourceColumn;
}

/** What operators above an operator have defined. */
interface Scope {
  readonly tables: PlanTables;
  readonly common: ReadonlyMap<number, Relation>;
  /** The columns of the other side of a join that a subquery refers to. */
  readonly outer: readonly DerivedColumn[];
}

type Operator = (node: PlanNode, scope: Scope) => Relation;

/** Table functions whose rows come from their arguments only. */
const tableFunctions: ReadonlySet<string> = new Set([
  'unnest',
  'range',
  'generate_series',
  'json_each',
  'json_tree',
  'repeat',
  'repeat_row',
]);

const operators: Readonly<Record<string, Operator>> = {
  LOGICAL_GET: read,
  LOGICAL_DUMMY_SCAN: (node) =>
    withTableKeys(node, 'table_index', { ...noRows, columns: [noColumn], isOneRow: true }),
  LOGICAL_CHUNK_GET: constants,
  LOGICAL_COLUMN_DATA_GET: constants,
  LOGICAL_EXPRESSION_GET(node, scope) {
    const input = onlyChild(node, scope);
    const lists = Array.isArray(node['expressions']) ? node['expressions'] : [];
    const rows = lists.map((list) => nodesOf(list).map((cell) => deriveColumn(cell, input)));
    const columns = (rows[0] ?? []).map((_, index) => merge(rows.flatMap((row) => row[index] ?? [])));
    return withTableKeys(node, 'table_index', { ...input, columns, isOneRow: rows.length === 1 });
  },
  LOGICAL_DELIM_GET: (node, { outer }) => withTableKeys(node, 'table_index', { ...noRows, columns: outer }),
  LOGICAL_PROJECTION(node, scope) {
    const input = onlyChild(node, scope);
    const columns = nodesOf(node['expressions']).map((expression) => deriveColumn(expression, input));
    return withTableKeys(node, 'table_index', { ...input, columns });
  },
  LOGICAL_FILTER(node, scope) {
    const input = onlyChild(node, scope);
    const conditions = nodesOf(node['expressions']).map((expression) => deriveColumn(expression, input));
    const rows = union(input.rows, sourcesOf(conditions));
    return selectColumns({ ...input, rows, isOneRow: false }, node['projection_map']);
  },
  LOGICAL_AGGREGATE_AND_GROUP_BY: aggregate,
  LOGICAL_WINDOW(node, scope) {
    const input = onlyChild(node, scope);
    return withComputedColumns(input, node, 'window_index');
  },
  LOGICAL_UNNEST(node, scope) {
    const input = onlyChild(node, scope);
    const made = withComputedColumns(input, node, 'unnest_index');
    const lists = made.columns.slice(input.columns.length);
    return { ...made, rows: union(made.rows, sourcesOf(lists)), isOneRow: false };
  },
  LOGICAL_UNION(node, scope) {
    const parts = children(node).map((child) => visit(child, scope));
    const count = parts[0]?.columns.length ?? 0;
    const columns = Array.from({ length: count }, (_, index) =>
      merge(parts.map((part) => columnAt(part, index))),
    );
    return withTableKeys(node, 'table_index', { ...mergeRows(parts), columns });
  },
  LOGICAL_EXCEPT: compared,
  LOGICAL_INTERSECT: compared,
  LOGICAL_COMPARISON_JOIN: join,
  LOGICAL_ANY_JOIN: join,
  LOGICAL_ASOF_JOIN: join,
  LOGICAL_DELIM_JOIN: join,
  LOGICAL_DEPENDENT_JOIN: join,
  LOGICAL_CROSS_PRODUCT: (node, scope) => crossProduct(...bothChildren(node, scope)),
  LOGICAL_POSITIONAL_JOIN: (node, scope) => sideBySide(...bothChildren(node, scope)),
  LOGICAL_ORDER_BY: ordered,
  LOGICAL_TOP_N: (node, scope) => withLimit(ordered(node, scope)),
  LOGICAL_LIMIT(node, scope) {
    const input = onlyChild(node, scope);
    const counts = [node['limit_val'], node['offset_val']]
      .flatMap((value) => (isNode(value) && isNode(value['expression']) ? [value['expression']] : []))
      .map((expression) => deriveColumn(expression, input));
    const { rows, ...others } = withLimit(input);
    return { ...others, rows: union(rows, sourcesOf(counts)) };
  },
  LOGICAL_SAMPLE: (node, scope) => ({ ...onlyChild(node, scope), isOneRow: false }),
  LOGICAL_DISTINCT(node, scope) {
    const input = onlyChild(node, scope);
    const targets = [...nodesOf(node['distinct_targets']), ...ordersOf(node['order_by'])];
    const deciding = targets.map((target) => deriveColumn(target, input));
    return { ...input, rows: union(input.rows, sourcesOf(deciding)) };
  },
  LOGICAL_MATERIALIZED_CTE(node, scope) {
    const [definition, body] = pair(node);
    const rows = fromCommonTable(visit(definition, scope), textAt(node, 'ctename'));
    const common = new Map(scope.common).set(numberAt(node, 'table_index'), rows);
    const result = visit(body, { ...scope, common });
    return { ...result, tables: union(result.tables, rows.tables) };
  },
  LOGICAL_CTE_REF(node, { common }) {
    const rows = common.get(numberAt(node, 'cte_index'));
    if (rows === undefined) throw new UnknownPlan('a common table expression that is not defined');
    const count = nodesOf(node['chunk_types']).length;
    if (rows.columns.length < count) throw new UnknownPlan('a common table expression with other columns');
    return withTableKeys(node, 'table_index', { ...rows, columns: rows.columns.slice(0, count) });
  },
  LOGICAL_RECURSIVE_CTE: recursive,
};

/**
 * Finds the source columns of each column of a query. `plan` is DuckDB's plan of the query before optimization.
 * Throws UnknownPlan.
 */
export function tracePlan(plan: PlanNode, tables: PlanTables): Relation {
  return visit(plan, { tables, common: new Map(), outer: [] });
}

function visit(node: PlanNode, scope: Scope): Relation {
  const type = textAt(node, 'type');
  const operator = operators[type];
  if (operator === undefined) throw new UnknownPlan(`the operator ${type}`);
  return operator(node, scope);
}

function read(node: PlanNode, scope: Scope): Relation {
  const name = textAt(node, 'name');
  const all = nodesOf(node['column_indexes']).map((column) => numberAt(column, 'index'));
  const projected = numbersOf(node['projection_ids']).map((index) => all[index] ?? -1);
  const indexes = projected.length > 0 ? projected : all;
  if (name !== 'seq_scan') return callFunction(node, indexes, scope);
  const place = node['function_data'];
  if (!isNode(place)) throw new UnknownPlan('a table without a name');
  const [catalog, schema, table] = ['catalog', 'schema', 'table'].map((key) => textAt(place, key));
  if (schema === undefined || table === undefined) throw new UnknownPlan('a table without a name');
  const names = textsOf(node['names']);
  if (catalog === 'temp') {
    const rows = scope.tables.temporary(table);
    if (rows === undefined) throw new UnknownPlan(`the temporary table "${table}"`);
    const columns = indexes.map((index) => rows.columns[index] ?? noColumn);
    return withTableKeys(node, 'table_index', { ...rows, columns });
  }
  const source = scope.tables.table(schema, table);
  if (source === undefined) throw new UnknownPlan(`the table "${schema}"."${table}"`);
  const columns = indexes.map((index): DerivedColumn => {
    const column = names[index];
    // A row number comes from no column.
    if (column === undefined) return noColumn;
    return { ...noColumn, values: new Map([[scope.tables.column(source, column), 'copied']]) };
  });
  return withTableKeys(node, 'table_index', { columns, rows: new Set(), tables: new Set([source]) });
}

function callFunction(node: PlanNode, indexes: readonly number[], scope: Scope): Relation {
  const name = textAt(node, 'name');
  if (!tableFunctions.has(name)) throw new UnknownPlan(`the table function ${name}`);
  const input = children(node).length === 0 ? { ...noRows, isOneRow: true } : onlyChild(node, scope);
  const count = nodesOf(node['input_table_types']).length;
  const parameters = input.columns.slice(0, count);
  const made = withTableKeys(node, 'table_index', {
    ...input,
    columns: indexes.map(() => combine(parameters)),
  });
  const passed = numbersOf(node['projected_input']);
  return {
    ...made,
    columns: [...made.columns, ...passed.map((index) => columnAt(input, index))],
    keys: [...keysOf(made), ...passed.map((index) => keysOf(input)[index] ?? '')],
    rows: union(input.rows, sourcesOf(parameters)),
    isOneRow: false,
  };
}

function aggregate(node: PlanNode, scope: Scope): Relation {
  const input = onlyChild(node, scope);
  const derive = (expression: PlanNode) => deriveColumn(expression, input);
  const groups = nodesOf(node['groups']).map(derive);
  const values = nodesOf(node['expressions']).map(derive);
  const sets = Array.isArray(node['grouping_functions']) ? node['grouping_functions'] : [];
  return {
    columns: [...groups, ...values, ...sets.map(() => noColumn)],
    rows: union(input.rows, sourcesOf(groups)),
    tables: input.tables,
    isOneRow: groups.length === 0,
  };
}

function compared(node: PlanNode, scope: Scope): Relation {
  const parts = children(node).map((child) => visit(child, scope));
  const all = mergeRows(parts);
  const rows = union(all.rows, ...parts.map((part) => sourcesOf(part.columns)));
  return withTableKeys(node, 'table_index', { ...all, columns: parts[0]?.columns ?? [], rows });
}

function join(node: PlanNode, scope: Scope): Relation {
  const [first, second] = pair(node);
  const left = visit(first, scope);
  const duplicates = nodesOf(node['duplicate_eliminated_columns']);
  if (duplicates.length === 0) return mapped(node, left, visit(second, scope));
  if (node['delim_flipped'] === true) throw new UnknownPlan('a join with exchanged sides');
  const outer = duplicates.map((expression) => deriveColumn(expression, left));
  return mapped(node, left, visit(second, { ...scope, outer }));
}

function mapped(node: PlanNode, left: Relation, right: Relation): Relation {
  const maps = [...numbersOf(node['left_projection_map']), ...numbersOf(node['right_projection_map'])];
  if (maps.length > 0) throw new UnknownPlan('a join that leaves columns out');
  return joined(node, left, right);
}

function ordered(node: PlanNode, scope: Scope): Relation {
  const input = onlyChild(node, scope);
  const terms = expressionsOf(node['orders']).map((expression) => deriveColumn(expression, input));
  return selectColumns({ ...input, order: sourcesOf(terms) }, node['projections']);
}

function recursive(node: PlanNode, scope: Scope): Relation {
  const [start, step] = pair(node);
  const base = visit(start, scope);
  for (let rows = base; ;) {
    const common = new Map(scope.common).set(numberAt(node, 'table_index'), rows);
    const next = visit(step, { ...scope, common });
    const columns = base.columns.map((column, index) => merge([column, columnAt(next, index)]));
    const all = { ...mergeRows([base, next]), columns };
    if (sizeOf(all) === sizeOf(rows)) return withTableKeys(node, 'table_index', all);
    rows = all;
  }
}

function children(node: PlanNode): readonly PlanNode[] {
  return nodesOf(node['children']);
}

function onlyChild(node: PlanNode, scope: Scope): Relation {
  const [child, more] = children(node);
  if (child === undefined || more !== undefined)
    throw new UnknownPlan(`the operator ${textAt(node, 'type')} with ${children(node).length} inputs`);
  return visit(child, scope);
}

function pair(node: PlanNode): readonly [PlanNode, PlanNode] {
  const [first, second, more] = children(node);
  if (first === undefined || second === undefined || more !== undefined)
    throw new UnknownPlan(`the operator ${textAt(node, 'type')} with ${children(node).length} inputs`);
  return [first, second];
}

function bothChildren(node: PlanNode, scope: Scope): [Relation, Relation] {
  const [first, second] = pair(node);
  return [visit(first, scope), visit(second, scope)];
}
