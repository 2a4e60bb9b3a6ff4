import { numberOf } from '../../lib/core/text/number-of.ts';
import type { ImportedFile, ImportedSchemas } from './import-schemas.ts';

/** How many tables that the export lacks are listed at most. */
const maxTables = 10;

/** The lines that say what an import did, or would do. */
export function importLines(imported: ImportedSchemas): readonly string[] {
  const { files, unknownTypes, leftOut } = imported;
  const width = Math.max(0, ...files.map(({ path }) => path.length));
  return [
    ...files.map((file) => fileLine(file, width)),
    chosenLine(imported),
    ...unknownTypes.map(
      ({ type, columns }) =>
        `${numberOf(columns, 'column')} of the type ${type}, which Millrace does not know: the type is \`unknown\`.`,
    ),
    ...leftOut.map((name) => `${name} is left out, because one of its names has a point.`),
    ...settingLines(imported),
    ...readsLines(imported),
  ];
}

function fileLine({ change, path, tables, columns }: ImportedFile, width: number): string {
  return `${change.padEnd(9)}  ${path.padEnd(width)}  ${numberOf(tables, 'table')}, ${numberOf(columns, 'column')}`;
}

function chosenLine({ exported, imported, leftOut }: ImportedSchemas): string {
  const others = exported - imported - leftOut.length;
  const of = `${imported} of ${numberOf(exported, 'table')} of the export`;
  return others === 0 ? `${of}.` : `${of}: the project names no other table. --all imports all.`;
}

function settingLines({ settings }: ImportedSchemas): readonly string[] {
  if (settings.length === 0) return [];
  const list = settings.map((setting) => `'${setting}'`).join(', ');
  return ['Add this to millrace.yaml, so that Millrace reads the files:', `  schemas: [${list}]`];
}

function readsLines({ reads }: ImportedSchemas): readonly string[] {
  if (reads === undefined)
    return ['Whether the project reads other tables is not known, because the engine is not installed.'];
  const { bound, total, lacking } = reads;
  const more = lacking.length - maxTables;
  return [
    `Reads of tables with known columns, with these files: ${bound} of ${total}.`,
    ...(lacking.length === 0
      ? []
      : ['Tables that the project reads, and whose columns are still not known:']),
    ...lacking
      .slice(0, maxTables)
      .map(({ table, reads: count }) => `  ${table} (${numberOf(count, 'read')})`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
