import { SqlError } from '../core/refusal.ts';
import type { TableName } from '../core/relation.ts';
import { logicalSchema, logicalTable, quoteName, quoteText } from '../duckdb/catalog/physical-name.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import { isNode, nodesOf, type PlanNode, textAt } from './plan-node.ts';
import {
  type DerivedColumn,
  merge,
  type Relation,
  type SourceColumn,
  union,
  UnknownPlan,
} from './relation.ts';
import { statementQueries, type WrittenQuery } from './statement-queries.ts';
import { replaceName } from './top-level-words.ts';
import { tracePlan, type PlanTables } from './trace-plan.ts';

/** The source columns of a column in a written table. */
export type TracedColumn = Pick<DerivedColumn, 'values' | 'choices' | 'computedIn'> & {
  readonly name: string;
};

/** The sources of the rows that a statement writes to a table. */
export interface TracedStatement {
  readonly table: TableName;
  readonly columns: readonly TracedColumn[];
  /** The columns that decide which rows are written, changed or removed. */
  readonly rows: ReadonlySet<SourceColumn>;
  /** All tables that the statement reads. */
  readonly tables: ReadonlySet<TableName>;
  /** The reason why the source columns are unknown. Undefined if they are known. */
  readonly unknown?: string;
}

/**
 * Finds the sources of the rows that the statements of a pipeline write. Call it for each statement, in the order in
 * which they run.
 */
export interface StatementTracer {
  /**
   * Traces a statement of DuckDB's SQL that the engine wrote, before the statement runs. Undefined if the statement
   * writes no rows and renames no column. Throws WarehouseStopped.
   */
  trace(sql: string): Promise<TracedStatement | undefined>;
}

export function statementTracer(warehouse: Warehouse): StatementTracer {
  const temporary = new Map<string, Relation>();
  const columns = new Map<string, SourceColumn>();
  const named = new Map<string, TableName>();
  /** The views that were created, by their names in DuckDB's SQL. */
  const views = new Set<string>();
  /** Maps each schema that contains tables in place of views to the schema of the views. */
  const schemas = new Map<string, string>();

  const tables: PlanTables = {
    table(schema, table) {
      const key = JSON.stringify([schemas.get(schema) ?? schema, table]);
      const logical = logicalSchema(schemas.get(schema) ?? schema);
      if (logical === undefined) return undefined;
      const name = named.get(key) ?? { ...logical, table };
      named.set(key, name);
      return name;
    },
    temporary: (table) => temporary.get(table),
    column(table, column) {
      const key = JSON.stringify([table.database, table.schema, table.table, column]);
      const source = columns.get(key) ?? { table, column };
      columns.set(key, source);
      return source;
    },
  };

  /**
   * Replaces views in a statement by tables with the same columns. DuckDB would otherwise insert the query of the
   * view.
   */
  async function withoutViews(sql: string): Promise<string> {
    let replaced = sql;
    for (const view of views) {
      if (!sql.includes(view)) continue;
      const [schema = '', table = ''] = view.match(/"(?:[^"]|"")+"/g) ?? [];
      const known = [...schemas].find(([, of]) => quoteName(of) === schema)?.[0];
      const standIn = known ?? `millrace_views_${schemas.size}`;
      if (known === undefined) schemas.set(standIn, schema.slice(1, -1).replaceAll('""', '"'));
      await warehouse.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(standIn)}`);
      const name = `${quoteName(standIn)}.${table}`;
      await warehouse.run(`CREATE OR REPLACE TABLE ${name} AS SELECT * FROM ${view} LIMIT 0`);
      replaced = replaceName(replaced, view, name);
    }
    return replaced;
  }

  async function relationOf(query: string): Promise<Relation> {
    return tracePlan(await planOf(await withoutViews(query), warehouse), tables);
  }

  async function columnsOf(query: WrittenQuery, target: string): Promise<readonly string[]> {
    if (typeof query.columns !== 'string') return query.columns;
    const described = await warehouse.describe(
      query.columns === 'of the query' ? query.sql : `SELECT * FROM ${target}`,
    );
    return described.map(({ name }) => name);
  }

  async function traced(
    table: TableName,
    target: string,
    queries: readonly WrittenQuery[],
  ): Promise<TracedStatement> {
    const lists = new Map<string, DerivedColumn[]>();
    const parts: Relation[] = [];
    for (const query of queries) {
      const relation = await relationOf(query.sql);
      parts.push(relation);
      for (const [index, name] of (await columnsOf(query, target)).entries()) {
        const column = relation.columns[index];
        if (column === undefined) throw new UnknownPlan(`the column "${name}", which the plan does not have`);
        lists.set(name, [...(lists.get(name) ?? []), column]);
      }
    }
    return {
      table,
      columns: Array.from(lists, ([name, list]) => {
        const { values, choices, computedIn } = merge(list);
        return { name, values, choices, computedIn };
      }),
      rows: union(...parts.map(({ rows }) => rows)),
      tables: union(...parts.map((part) => part.tables)),
    };
  }

  async function trace(sql: string): Promise<TracedStatement | undefined> {
    const statement = statementQueries(sql);
    if (statement === undefined) return undefined;
    if (statement.kind === 'temporary') {
      temporary.delete(statement.name);
      temporary.set(statement.name, await relationOf(statement.query));
      return undefined;
    }
    const { target } = statement;
    const table = logicalTable(target);
    if (statement.kind === 'drop') views.delete(target);
    if (table === undefined || statement.kind === 'drop') return undefined;
    if (statement.kind === 'rename') {
      const from = tables.column(table, statement.from);
      const values = new Map([[from, 'copied' as const]]);
      const column = {
        name: statement.to,
        values,
        choices: new Set<SourceColumn>(),
        computedIn: new Set<string>(),
      };
      return { table, columns: [column], rows: new Set(), tables: new Set([table]) };
    }
    const result = await traced(table, target, statement.queries);
    if (statement.kind === 'view') views.add(target);
    return result;
  }

  return {
    async trace(sql) {
      try {
        return await trace(sql);
      } catch (error) {
        const unknown = reasonOf(error);
        if (unknown === undefined) throw error;
        const target = targetOf(sql);
        const table = target === undefined ? undefined : logicalTable(target);
        if (table === undefined) return undefined;
        return { table, columns: [], rows: new Set(), tables: new Set(), unknown };
      }
    },
  };
}

/** Why a statement cannot be traced; undefined for an error of another kind. */
function reasonOf(error: unknown): string | undefined {
  // The plan of a query may be deeper than the stack.
  if (error instanceof RangeError) return 'a query with too many levels of nesting';
  return error instanceof UnknownPlan || error instanceof SqlError ? error.message : undefined;
}

function targetOf(sql: string): string | undefined {
  const statement = statementQueries(sql);
  return statement === undefined || statement.kind === 'temporary' ? undefined : statement.target;
}

/** The plan of a query as DuckDB binds it. Throws UnknownPlan. */
async function planOf(query: string, warehouse: Warehouse): Promise<PlanNode> {
  const sql = `SELECT CAST(json_serialize_plan(${quoteText(query)}, optimize := false) AS VARCHAR)`;
  const { rows } = await warehouse.query(sql, { maxRows: 1 });
  const text = rows[0]?.[0];
  if (typeof text !== 'string') throw new UnknownPlan('a plan that cannot be read');
  const answer: unknown = JSON.parse(text);
  if (!isNode(answer)) throw new UnknownPlan('a plan that cannot be read');
  if (answer['error'] === true) throw new UnknownPlan(textAt(answer, 'error_message'));
  const [plan, more] = nodesOf(answer['plans']);
  if (plan === undefined || more !== undefined) throw new UnknownPlan('several statements');
  return plan;
}
