import type { KnownTable, TableName } from '../../../engine/index.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { bindProject, type DataGraph } from './bind-project.ts';

/**
 * Returns a function that tells what the pipelines of a project do with a table. It binds the pipelines on its
 * first call. It throws as `bindProject` does.
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
