import type { TableName } from '../../../engine/index.ts';
import type { TestProject } from '../files/test-project.ts';

/** A table's name as a test writes it: with database and schema only if they are not the default. */
export function labelOf({ database, schema, table }: TableName, { defaults }: TestProject): string {
  if (database !== defaults.database) return [database, schema, table].join('.');
  return schema === defaults.schema ? table : `${schema}.${table}`;
}
