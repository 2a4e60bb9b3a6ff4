import { FileProblems, type TableName } from '../../../engine/index.ts';
import { invalidConfig } from '../../../lib/config/fields/read-config.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { type EnvironmentNames, environmentNames } from '../../pipeline-tests/outside/environment-names.ts';
import {
  noSchemas,
  type ProjectSchemas,
  projectSchemas,
} from '../../pipeline-tests/outside/project-schemas.ts';
import { streamedTables } from '../../pipeline-tests/outside/streamed-tables.ts';
import type { Definition } from './table-definitions.ts';

/** The contents of the files that millrace.yaml names for tables from outside the project. */
export interface OutsideFacts {
  readonly names: EnvironmentNames;
  /** What `schemas` declares. */
  readonly schemas: ProjectSchemas;
  /** Tables that streaming pipelines write; the path of a definition is in place of a pipeline's. */
  readonly streamed: readonly Definition[];
}

/**
 * Reads what is known about tables from outside the project. Throws Failure 'config-invalid'.
 * @param after the same project after a change: its names count, and its invalid files are ignored
 * @param isLenient whether invalid files are ignored
 */
export function outsideOf(
  project: TestProject,
  {
    after,
    isLenient = false,
  }: { readonly after: Pick<OutsideFacts, 'names'> | undefined; readonly isLenient?: boolean },
): OutsideFacts {
  const read = <Said>(work: () => Said, nothing: Said): Said => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FileProblems)) throw error;
      if (isLenient || after !== undefined) return nothing;
      throw invalidConfig(error.problems);
    }
  };
  const own = { defaults: project.defaults, canonical: (table: TableName) => table, key: '' };
  const names = after?.names ?? read(() => environmentNames(project), own);
  return {
    names,
    schemas: read(() => projectSchemas(project), noSchemas),
    streamed: read(() => streamedTables(project, names), []),
  };
}
