import type { BoundPipeline, ColumnLineage, TableName } from '../../../engine/index.ts';
import type { EnvironmentNames } from '../../pipeline-tests/outside/environment-names.ts';

/** Replaces the names of tables in what a pipeline does, so that each table has only one name. */
export function withCanonicalTables(
  { reads, writes, problems, unknown, open, lineage }: BoundPipeline,
  { canonical }: Pick<EnvironmentNames, 'canonical'>,
): BoundPipeline {
  const one = <Use extends { readonly table: TableName }>(use: Use): Use => ({
    ...use,
    table: canonical(use.table),
  });
  const all = <Use extends { readonly tables: readonly TableName[] }>(use: Use): Use => ({
    ...use,
    tables: use.tables.map(canonical),
  });
  const column = (each: ColumnLineage): ColumnLineage => ({
    ...each,
    values: each.values.map(one),
    choices: each.choices.map(one),
  });
  return {
    reads: reads.map(one),
    writes: writes.map(one),
    problems: problems.map(all),
    unknown: unknown.map(all),
    open: open.map(one),
    lineage: lineage.map((write) => ({
      ...write,
      table: write.table && canonical(write.table),
      columns: write.columns.map(column),
      rows: write.rows.map(one),
      tables: write.tables.map(canonical),
    })),
  };
}
