import { withoutBlanks } from '../../core/written-number.ts';
import { childOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { Parameter } from '../../components/component-type.ts';
import { conditionsSql } from '../../components/conditions.ts';
import { checkColumns, findColumn } from '../../components/find-column.ts';
import { existingTable, tableText } from '../../components/find-table.ts';
import { atPlace, Refusal } from '../../core/refusal.ts';
import type { Column } from '../../core/relation.ts';
import { type SourceText, startOf } from '../../core/source-text.ts';
import { translateQuery } from '../../dialect/translate.ts';
import { quoteName } from '../../duckdb/catalog/physical-name.ts';
import type { Rows } from '../../duckdb/connection/warehouse.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { readCombination, readConditions } from '../../parameters/read-conditions.ts';
import { readNames } from '../../parameters/read-rows.ts';
import type { TableKey } from '../../parameters/read-table.ts';
import type { Task } from './task.ts';

/** The parameters that determine what a component reads: a query or a table. */
export const queryParameters = {
  mode: {
    form: 'choice',
    meaning: '`Advanced` runs `query`, and `Basic` reads a table',
    choices: ['Advanced', 'Basic'],
  },
  query: { form: 'text', meaning: 'for `Advanced`: a single query' },
} as const satisfies Record<string, Parameter>;

/** The parameters that determine the order in which a component reads a table. */
export const sortParameters = {
  orderBy: { form: 'names', meaning: 'for `Basic`: the columns by which the rows are sorted' },
  sort: {
    form: 'choice',
    meaning: 'for `Basic`: the direction of the order',
    choices: ['Ascending', 'Descending', 'Asc', 'Desc'],
  },
} as const satisfies Record<string, Parameter>;

/** A query in DuckDB's SQL with its output columns. */
export interface TaskQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** The query as the user wrote it. Undefined for a query of the mode Basic. */
  readonly source?: SourceText;
}

/** Reads at most `maxRows` rows of a query. An error has a position in the pipeline file. */
export async function readRowsOf(
  { sql, source }: TaskQuery,
  { runs, warehouse, parameters, reader }: Task,
  maxRows: number,
): Promise<Rows> {
  runs(sql);
  try {
    return await warehouse.query(sql, { maxRows });
  } catch (error) {
    const place = source === undefined ? placeOfNode(parameters, reader) : startOf(source);
    throw atPlace(error, place, { sql: source?.text });
  }
}

/** The query of a component in the mode Advanced: the SQL in the parameter `query`. */
export function advancedQuery({ parameters, reader, dialect }: Task): TaskQuery {
  const query = readText(childOf(parameters, 'query'), reader);
  if (query === undefined) {
    throw new ParameterError('the parameter query is not set', placeOfNode(parameters, reader));
  }
  return { ...translateQuery(query, dialect), source: query };
}

/**
 * The query of a component in the mode Basic. It reads columns of one table, filtered and sorted according to the
 * parameters.
 */
export function basicQuery(
  task: Task,
  selection: {
    readonly table: TableKey;
    readonly columns: readonly SourceText[];
    /** The name of the parameter that lists the columns, for messages. */
    readonly key: string;
  },
): TaskQuery {
  const { parameters, reader, dialect } = task;
  const table = existingTable(task, selection.table);
  const of = `the table ${tableText(table)}`;
  if (selection.columns.length === 0) {
    throw new ParameterError(`no columns are listed in ${selection.key}`, placeOfNode(parameters, reader));
  }
  const columns = checkColumns(
    selection.columns.map((name) => findColumn(table.columns, name, dialect, of)),
    placeOfNode(parameters, reader),
  );
  for (const { name } of columns) dialect.noteColumn?.(table.sql, name);
  const relation = { sql: 't', columns: table.columns, table: table.sql };
  const where = conditionsSql(
    readConditions(childOf(parameters, 'filterConditions'), reader),
    readCombination(childOf(parameters, 'combineCondition'), reader),
    { relation, of, dialect, notice: (message) => task.notice(message) },
  );
  const sorted = readNames(childOf(parameters, 'orderBy'), reader).map(
    (name) => findColumn(table.columns, name, dialect, of).name,
  );
  for (const name of sorted) dialect.noteColumn?.(table.sql, name);
  const order = sorted.map((name) => quoteName(name) + sortWords(task));
  const sql = [
    `SELECT ${columns.map(({ name }) => `t.${quoteName(name)}`).join(', ')} FROM ${table.sql} AS t`,
    ...(where === undefined ? [] : [`WHERE ${where}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
    ...limitClause(childOf(parameters, 'limit'), task),
  ];
  return { sql: sql.join(' '), columns };
}

/** NULL is the largest value, as in the warehouse. */
function sortWords({ parameters, reader }: Task): string {
  const written = readText(childOf(parameters, 'sort'), reader);
  const word = (written?.text ?? '').trim().toLowerCase();
  if (['', 'asc', 'ascending'].includes(word)) return ' ASC NULLS LAST';
  if (['desc', 'descending'].includes(word)) return ' DESC NULLS FIRST';
  throw new Refusal(`the order "${written?.text ?? ''}"`, written?.placeOf(0), 'use Ascending or Descending');
}

function limitClause(node: YamlNode | undefined, { reader }: Task): readonly string[] {
  const written = readText(node, reader);
  if (written === undefined) return [];
  const limit = withoutBlanks(written.text);
  if (!/^\d{1,15}$/.test(limit)) {
    throw new ParameterError(
      `expected a number of rows for limit, found "${written.text}"`,
      written.placeOf(0),
    );
  }
  return [`LIMIT ${limit}`];
}

/**
 * The index of the result column that a mapping names: the column with exactly this name, otherwise the only column
 * whose name differs just in case.
 */
export function resultColumn({ columns }: TaskQuery, name: SourceText): number {
  const exact = columns.findIndex((column) => column.name === name.text);
  if (exact >= 0) return exact;
  const lowerName = name.text.trim().toLowerCase();
  const index = columns.findIndex((column) => column.name.toLowerCase() === lowerName);
  if (index >= 0) return index;
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  throw new ParameterError(`the query has no column "${name.text}"; it has ${names}`, name.placeOf(0));
}
