import {
  describeType,
  type KnownTable,
  readColumnType,
  type SqlType,
  type TableName,
} from '../../../engine/index.ts';
import type { DeclaredTables } from '../files/declared-tables.ts';
import type { TestProject } from '../files/test-project.ts';
import { type ExampleColumn, expectedColumns } from './examples/example-columns.ts';
import { typeInScripts } from './examples/script-types.ts';
import type { TestParts } from './test-parts.ts';

/** Tells what the pipelines of the project do with a table; undefined if its columns are unknown. */
export type KnownTables = (table: TableName) => Promise<KnownTable | undefined>;

/** The sources from which the columns of tables are found. */
export interface ColumnSources {
  readonly project: TestProject;
  readonly declared: DeclaredTables;
  readonly known: KnownTables;
}

/**
 * The columns of a table that a pipeline reads: as the project declares them, else as other pipelines write them,
 * else the columns that components name. Empty if none is known.
 */
export async function columnsOf(
  table: TableName,
  parts: Pick<TestParts, 'guess'>,
  sources: ColumnSources,
): Promise<ExampleColumn[]> {
  const { project, declared, known } = sources;
  const { created, schema } = declared(table) ?? {};
  if (created !== undefined)
    return created.map((column) => ({ name: column.name, type: typeText(column.type, project) }));
  if (schema !== undefined)
    return withTypes(
      schema.map((column) => [
        column.name,
        readColumnType(column, project.kind) === undefined ? undefined : column.type,
      ]),
    );
  const found = await known(table);
  const names = found?.areNamesComplete === true ? found.columns.map((column) => column.name) : [];
  const listed = names.length > 0 ? names : expectedColumns(table.table, project);
  return withTypes(listed.map((column) => [column, undefined]));

  function withTypes(
    columns: readonly (readonly [column: string, type: string | undefined])[],
  ): Promise<ExampleColumn[]> {
    return Promise.all(
      columns.map(async ([column, type]) => ({
        name: column,
        type: type ?? (await typeOfColumn(table, column, parts, sources)),
      })),
    );
  }
}

/**
 * The type of a column: as pipelines write it, else as SQL of the project declares it, else as its uses and its
 * name suggest.
 */
export async function typeOfColumn(
  table: TableName,
  column: string,
  { guess }: Pick<TestParts, 'guess'>,
  { project, known }: Pick<ColumnSources, 'project' | 'known'>,
): Promise<string> {
  const found = await known(table);
  const written =
    found?.areTypesKnown === true ? found.columns.find((other) => other.name === column) : undefined;
  if (written !== undefined && written.type.name !== 'NULL') return typeText(written.type, project);
  return typeInScripts(table.table, column, project)?.replace(longest, 'VARCHAR') ?? guess(column, project);
}

/** What the warehouse makes of a text type without a length. */
const longest = /^VARCHAR\(16777216\)$/;

/** A type as SQL writes it. */
function typeText(type: SqlType, { kind }: TestProject): string {
  return describeType(type, kind).replace(longest, 'VARCHAR');
}
