import type { KnownTable, TableName } from '../../../engine/index.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { bindProject, type DataGraph } from './bind-project.ts';

/**
 * What the pipelines of a project do with a table. The pipelines are bound when a table is asked for, once. The function throws as
 * `bindProject` does.
 */
export function knownTables(
  project: TestProject,
  signal: AbortSignal,
): (table: TableName) => Promise<KnownTable | undefined> {
  let binding: Promise<DataGraph> | undefined;
  return async (table) => {
    binding ??= bindProject(project, { signal });
    const { tables, names } = await binding;
    return tables.find(names.canonical(table));
  };
}
