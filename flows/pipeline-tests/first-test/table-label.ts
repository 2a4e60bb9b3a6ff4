import type { TableName } from '../../../engine/index.ts';
import type { TestProject } from '../files/test-project.ts';

/** The name of a table in a test: with database and schema only if they are not the defaults. */
export function labelOf({ database, schema, table }: TableName, { defaults }: TestProject): string {
  if (database !== defaults.database) return [database, schema, table].join('.');
  return schema === defaults.schema ? table : `${schema}.${table}`;
}
