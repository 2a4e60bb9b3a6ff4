import type { TableName } from '../core/relation.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import type { SourceColumn } from '../lineage/relation.ts';
import type { TracedStatement } from '../lineage/statement-tracer.ts';
import type { Part } from './binder-types.ts';
import type { ColumnName, WriteLineage } from './bound-pipeline.ts';
import type { Recording } from './recording-warehouse.ts';

/**
 * What a part takes the rows from that it writes.
 * @param unknown `doubts`: why there may be other sources; `variableIn`: the variable without a value that the name of a table
 * depends on
 */
export function lineageOf(
  { component, place, componentOf }: Part,
  { changed, traced }: Pick<Recording, 'changed' | 'traced'>,
  unknown: {
    readonly doubts: readonly string[];
    readonly variableIn: (table: TableName) => string | undefined;
  },
): readonly WriteLineage[] {
  return traced.flatMap((statement) => {
    if (unknown.variableIn(statement.table) !== undefined) return [];
    const key = physicalTable(statement.table);
    const mode = changed.findLast(({ sql }) => sql === key)?.mode ?? 'change';
    const isKnown = ({ table }: SourceColumn) => unknown.variableIn(table) === undefined;
    const names = (columns: Iterable<SourceColumn>) => Array.from(columns).filter(isKnown).map(plain);
    return {
      table: statement.table,
      component: component.name,
      place,
      mode,
      columns: statement.columns.map(({ name, values, choices, computedIn }) => ({
        name,
        values: Array.from(values, ([column, use]) => ({ ...plain(column), use })).filter(isKnown),
        choices: names(choices),
        computedIn: [...computedIn].flatMap((sqlName) => componentOf?.(sqlName) ?? []),
      })),
      rows: names(statement.rows),
      tables: [...statement.tables].filter((table) => unknown.variableIn(table) === undefined),
      unknown: [...unknown.doubts, ...doubtsOf(statement, unknown.variableIn)],
    };
  });
}

function doubtsOf(
  { unknown, tables }: TracedStatement,
  variableIn: (table: TableName) => string | undefined,
): readonly string[] {
  const variables = new Set([...tables].flatMap((table) => variableIn(table) ?? []));
  const names = Array.from(
    variables,
    (variable) => `the name of a table depends on the variable "${variable}", which has no known value`,
  );
  return unknown === undefined ? names : [`its SQL has ${unknown}`, ...names];
}

function plain({ table, column }: SourceColumn): ColumnName {
  return { table, column };
}
