import {
  ParameterError,
  readType,
  Refusal,
  sourceText,
  storedName,
  type Column,
  type KnownColumns,
  type TableName,
} from '../../../engine/index.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import { projectSchemas } from '../outside/project-schemas.ts';
import type { TestProject } from './test-project.ts';

/**
 * Tells which columns a project declares for a table: in a component that creates it, else in the \`schemas\` of
 * millrace.yaml.
 */
export type DeclaredTables = (table: TableName) => KnownColumns | undefined;

const nameKeys: ReadonlyMap<string, string> = new Map([
  ['create-table', 'newTableName'],
  ['create-table-v2', 'table'],
]);

/**
 * Reads the create-table components whose names and types have no variables, and the files of \`schemas\`. If
 * several components create a table, the first in the order of the files counts. The returned function throws
 * FileProblems for an invalid file of \`schemas\`.
 */
export function declaredTables(project: TestProject): DeclaredTables {
  let tables: Map<string, readonly Column[]> | undefined;
  return (table) => {
    const created = (tables ??= readAll(project)).get(keyOf(table));
    if (created !== undefined) return { created };
    const declared = projectSchemas(project).get(table);
    return declared && { schema: declared.columns };
  };
}

function readAll(project: TestProject): Map<string, readonly Column[]> {
  const tables = new Map<string, readonly Column[]>();
  for (const file of project.pipelines) {
    const document = project.pipeline(file);
    if (document === undefined || document.problems.length > 0) continue;
    for (const component of document.components.values()) {
      const name = tableOf(component, project);
      const columns = name === undefined ? [] : columnsOf(component, project, file);
      if (name !== undefined && columns.length > 0 && !tables.has(keyOf(name)))
        tables.set(keyOf(name), columns);
    }
  }
  return tables;
}

function tableOf(component: Component, { defaults, kind }: TestProject): TableName | undefined {
  const key = nameKeys.get(component.type);
  const table = key === undefined ? undefined : component.text(key);
  if (table === undefined) return undefined;
  const part = (name: string, other: string) => {
    const text = component.text(name) ?? '';
    return text === '' || text.toLowerCase() === '[environment default]' ? other : text;
  };
  const database = part('database', part('catalog', defaults.database));
  const schema = part('schema', defaults.schema);
  if ([table, schema, database].some((text) => text.includes('${'))) return undefined;
  return {
    database: storedName(database, kind),
    schema: storedName(schema, kind),
    table: storedName(table, kind),
  };
}

/** Empty if a column has a form that only a run can tell. */
function columnsOf(component: Component, { kind }: TestProject, file: string): readonly Column[] {
  const rows = gridOf(component.parameter('columns'));
  if (rows.some((row) => row.some((cell) => cell.includes('${')))) return [];
  try {
    return rows.map(([name = '', type = '', size = '', precision = '']) => ({
      name: storedName(name, kind),
      type: readType(
        {
          type: sourceText(type, file),
          size: sourceText(size, file),
          precision: sourceText(precision, file),
        },
        kind,
      ),
    }));
  } catch (error) {
    if (error instanceof Refusal || error instanceof ParameterError) return [];
    throw error;
  }
}

function keyOf({ database, schema, table }: TableName): string {
  return JSON.stringify([database, schema, table]);
}
