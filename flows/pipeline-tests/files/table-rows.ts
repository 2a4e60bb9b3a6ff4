import {
  type Located,
  problemAt,
  type TableName,
  tableOfRows,
  type TableRows,
  type WrittenColumn,
  type WrittenTable,
} from '../../../engine/index.ts';
import { escapedName, lookOf, onlyLooksLike } from '../../../lib/core/text/look-alike.ts';
import { atOnce } from '../../../lib/core/ports/long-work.ts';
import type { DeclaredTables } from './declared-tables.ts';
import { tableNamed } from '../outside/table-named.ts';
import type { TestProject } from './test-project.ts';

/** Sources of column types that the table itself does not have. */
export interface TypeSources {
  readonly schemas: ReadonlyMap<string, readonly WrittenColumn[]>;
  readonly declared: DeclaredTables;
}

/** Reads the columns and rows of a table in a test. Throws FileProblems. */
export function tableRows(
  table: WrittenTable,
  { schemas, declared }: TypeSources,
  project: TestProject,
): TableRows {
  const name = tableNamed(table.name.text, table.name.place, project);
  const schema = schemaOf(name, schemas, project, table.name);
  return atOnce(tableOfRows(table, project.kind, schema === undefined ? declared(name) : { schema }));
}

function schemaOf(
  { database, schema, table }: TableName,
  schemas: TypeSources['schemas'],
  project: TestProject,
  written: Located,
): readonly WrittenColumn[] | undefined {
  let alike: string | undefined;
  let schemaColumns: readonly WrittenColumn[] | undefined;
  for (const [name, columns] of schemas) {
    const [first] = columns;
    const other = tableNamed(name, first?.place ?? { file: '', line: 1, column: 1 }, project);
    if (other.table === table && other.schema === schema && other.database === database) {
      if (schemaColumns !== undefined && first !== undefined)
        throw problemAt(
          first.place,
          `"${name}" is a table that \`schemas\` has twice, under two names: remove one`,
        );
      schemaColumns = columns;
      continue;
    }
    const isAlike = [other.table, other.schema, other.database].every(
      (part, index) => lookOf(part) === lookOf([table, schema, database][index] ?? ''),
    );
    if (isAlike) alike ??= name;
  }
  if (schemaColumns !== undefined || alike === undefined) return schemaColumns;
  const differ = onlyLooksLike(alike, written.text)
    ? `"${escapedName(alike)}", which only looks like "${escapedName(written.text)}"`
    : `"${alike}": upper and lower case differ`;
  throw problemAt(written.place, `the table "${written.text}" is not in \`schemas\`, which has ${differ}`);
}
