import {
  type KnownTable,
  readColumnType,
  type SqlType,
  storedName,
  type TableName,
} from '../../../engine/index.ts';
import type { ProjectSchemas } from '../../pipeline-tests/outside/project-schemas.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { tableKey } from './table-definitions.ts';
import { firstOfEachName } from './table-definitions.ts';

/** The keys of the tables that two sets of declarations declare differently. */
export function changedSchemas(before: ProjectSchemas, now: ProjectSchemas): readonly string[] {
  const contents = ({ all }: ProjectSchemas) =>
    new Map(
      all.map(({ table, columns }) => [
        tableKey(table),
        JSON.stringify(columns.map(({ name, type }) => [name, type])),
      ]),
    );
  const [old, next] = [contents(before), contents(now)];
  return [...new Set([...old.keys(), ...next.keys()])].filter((key) => old.get(key) !== next.get(key));
}

/** The type with which a column is bound whose type is not known. */
const standIn: SqlType = { name: 'VARCHAR', length: undefined };

/** The columns of tables that `schemas` in millrace.yaml declares, by table. They are converted on first use. */
export function declaredColumns(
  schemas: ProjectSchemas,
  { kind }: Pick<TestProject, 'kind'>,
): (table: TableName) => KnownTable | undefined {
  const converted = new Map<string, KnownTable | undefined>();
  const convert = (table: TableName): KnownTable | undefined => {
    const declared = schemas.get(table);
    if (declared === undefined) return undefined;
    const typed = declared.columns.map((column) => ({
      name: storedName(column.name, kind),
      type: readColumnType(column, kind),
    }));
    const columns = firstOfEachName(typed.map(({ name, type = standIn }) => ({ name, type })));
    return {
      columns,
      areNamesComplete: columns.length === typed.length,
      areTypesKnown: typed.every(({ type }) => type !== undefined),
    };
  };
  return (table) => {
    const key = tableKey(table);
    if (!converted.has(key)) converted.set(key, convert(table));
    return converted.get(key);
  };
}
