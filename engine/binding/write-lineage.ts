import type { TableName } from '../core/relation.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import type { SourceColumn } from '../lineage/relation.ts';
import type { TracedStatement } from '../lineage/statement-tracer.ts';
import type { Part } from './binder-types.ts';
import type { ColumnName, WriteLineage } from './bound-pipeline.ts';
import type { Recording } from './recording-warehouse.ts';

/**
 * The sources of the rows that a part writes.
 * @param unknown `doubts` are the reasons why there may be other sources. `variableIn` returns the variable without a
 * known value on which the name of a table depends.
 */
export function lineageOf(
  { component, place, componentOf }: Part,
  { changed, traced }: Pick<Recording, 'changed' | 'traced'>,
  unknown: {
    readonly doubts: readonly string[];
    readonly variableIn: (table: TableName) => string | undefined;
  },
): readonly WriteLineage[] {
  return traced.map((statement) => {
    const key = physicalTable(statement.table);
    const modes = changed.filter(({ sql }) => sql === key).map((each) => each.mode);
    // A table may be created first, and then get its rows.
    const mode = modes.find((each) => each === 'define') ?? modes.at(-1) ?? 'change';
    const isKnown = ({ table }: SourceColumn) => unknown.variableIn(table) === undefined;
    const names = (columns: Iterable<SourceColumn>) => Array.from(columns).filter(isKnown).map(plain);
    return {
      table: unknown.variableIn(statement.table) === undefined ? statement.table : undefined,
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
      unknown: [...doubtsOf(statement, unknown.variableIn), ...unknown.doubts],
    };
  });
}

function doubtsOf(
  { table, unknown, tables }: TracedStatement,
  variableIn: (table: TableName) => string | undefined,
): readonly string[] {
  const variables = new Set([table, ...tables].flatMap((each) => variableIn(each) ?? []));
  const names = Array.from(
    variables,
    (variable) =>
      `the name of a table depends on the variable "${variable}", whose value is only known when the pipeline runs`,
  );
  return unknown === undefined ? names : [`its SQL contains ${unknown}`, ...names];
}

function plain({ table, column }: SourceColumn): ColumnName {
  return { table, column };
}

/** The sources of a write that could not be bound: none are known. */
export const noSources: Pick<WriteLineage, 'columns' | 'rows' | 'tables'> = {
  columns: [],
  rows: [],
  tables: [],
};
