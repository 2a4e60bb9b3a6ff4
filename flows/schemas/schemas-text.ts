import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { quoteText } from '../../lib/yaml/quote-text.ts';
import type { ExportedTable } from './read-export.ts';

/** A file of schemas that an import writes. */
export interface SchemasFile {
  /** Its name, without the folder. */
  readonly name: string;
  readonly text: string;
  readonly tables: number;
  readonly columns: number;
}

/** The database and schema for `[Environment Default]`. */
export interface DefaultNames {
  readonly database: string;
  readonly schema: string;
}

/** Whether a table is in a schema. An export without databases contains the tables of one database. */
export function isIn(
  { database, schema }: Pick<ExportedTable, 'database' | 'schema'>,
  names: DefaultNames,
): boolean {
  return names.schema === schema && (names.database === database || database === '');
}

const head = `# The columns of tables from outside the project. \`millrace schemas import\` writes this file, and replaces it with --force.
`;

/** Creates one file for each schema, with the tables sorted by name, so that the same export gives the same files. */
export function schemasFiles(
  tables: readonly ExportedTable[],
  defaults: readonly DefaultNames[],
): readonly SchemasFile[] {
  const groups = Map.groupBy(tables, ({ database, schema }) => JSON.stringify([database, schema]));
  const taken = new Set<string>();
  return [...groups.values()]
    .map((list) => {
      const columns = list.flatMap((table) => table.columns);
      const texts = list.map((table) => tableText(table, defaults));
      return {
        name: fileName(list[0], taken),
        text: head + texts.join(''),
        tables: list.length,
        columns: columns.length,
      };
    })
    .toSorted((a, b) => compareTexts(a.name, b.name));
}

/** Two names that differ in what a file system may not tell apart get a number. */
function fileName(table: ExportedTable | undefined, taken: Set<string>): string {
  const parts = [table?.database ?? '', table?.schema ?? ''].filter((part) => part !== '');
  const base = parts.map((part) => part.replaceAll(/[^\p{L}\p{N}_$-]/gu, '_')).join('.');
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return `${name}.yaml`;
  }
}

function tableText(
  { database, schema, table, columns }: ExportedTable,
  defaults: readonly DefaultNames[],
): string {
  const isDefault = defaults.some((each) => isIn({ database, schema }, each));
  const name = isDefault ? table : [database, schema, table].filter((part) => part !== '').join('.');
  const lines = columns.map(({ name: column, type, exportedType }) =>
    type === undefined
      ? `  ${word(column)}: unknown # ${exportedType.replaceAll(/\s+/g, ' ')}\n`
      : `  ${word(column)}: ${word(type)}\n`,
  );
  return `${word(name)}:\n${lines.join('')}`;
}

/** A text as YAML writes it in a block; in quotes if it could mean something else. */
function word(text: string): string {
  const isPlain =
    /^[A-Za-z_][\w.$()]*(?:[ ,][\w.$()]+)*$/.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : quoteText(text);
}
