import {
  type FileProblem,
  FileProblems,
  type Place,
  problemAt,
  readColumnType,
  type SqlType,
  type TableName,
  type WarehouseKind,
  type WrittenColumn,
} from '../../../engine/index.ts';
import { type EnvironmentNames, environmentNames } from './environment-names.ts';
import { type OutsideFiles, outsideFiles, type OutsideProject } from './outside-files.ts';
import { placesIn, readWritten } from './read-written.ts';
import { tableNamed } from './table-named.ts';
import { columnsOf, entriesOf, tableSchemasSchema } from './schema-parts.ts';

/** A table of the outside world that a file of `schemas` in millrace.yaml declares. */
export interface DeclaredTable {
  /** With the names of the first environment. */
  readonly table: TableName;
  /** Where its name is written. */
  readonly place: Place;
  readonly columns: readonly WrittenColumn[];
}

export interface ProjectSchemas {
  /** By any of its names. */
  get(table: TableName): DeclaredTable | undefined;
  readonly all: readonly DeclaredTable[];
}

export const noSchemas: ProjectSchemas = { get: () => undefined, all: [] };

/** A table in a file of schemas, as written. */
export interface WrittenSchema {
  /** Where its name is. */
  readonly place: Place;
  readonly columns: readonly WrittenColumn[];
}

/** Reads a file of schemas: tables by their names as written. Throws FileProblems. */
export function readTableSchemas(text: string, file: string): ReadonlyMap<string, WrittenSchema> {
  const { source } = readWritten(text, file, tableSchemasSchema);
  const placeOf = placesIn(source);
  const tables = entriesOf(source.root);
  if (tables.length === 0)
    throw problemAt(
      { file, line: 1, column: 1 },
      'the file has no tables: write the columns of each table by its name',
    );
  return new Map(
    tables.map(([table, key, value]) => [table, { place: placeOf(key), columns: columnsOf(value, placeOf) }]),
  );
}

const read = new WeakMap<OutsideProject, ProjectSchemas | FileProblems>();

/** What was read last for the same settings: an editor opens a project again and again. */
const recent = new WeakMap<OutsideFiles, Recent>();

interface Recent {
  readonly kind: WarehouseKind;
  readonly texts: readonly string[];
  readonly schemas: ProjectSchemas | FileProblems;
}

/**
 * Reads the tables that the files of `schemas` declare, once. Throws FileProblems with all errors, including a
 * table that two files declare differently.
 */
export function projectSchemas(project: OutsideProject): ProjectSchemas {
  const schemas = read.get(project) ?? readAgain(project);
  read.set(project, schemas);
  if (schemas instanceof FileProblems) throw schemas;
  return schemas;
}

/** Reads the files only if one of them has changed. */
function readAgain(project: OutsideProject): ProjectSchemas | FileProblems {
  const { outside, kind } = project;
  if (outside.schemas.length === 0) return noSchemas;
  try {
    const { provision } = outside;
    const files = [
      ...outsideFiles('schemas', project).paths,
      ...(provision === undefined ? [] : [provision]),
    ];
    const texts = files.flatMap((path) => [path, project.text(path) ?? '']);
    const last = recent.get(outside);
    const isSame = last?.kind === kind && last.texts.length === texts.length;
    if (isSame && last.texts.every((text, index) => text === texts[index])) return last.schemas;
    const schemas = readSchemas(project);
    recent.set(outside, { kind, texts, schemas });
    return schemas;
  } catch (error) {
    if (error instanceof FileProblems) return readSchemas(project);
    throw error;
  }
}

function readSchemas(project: OutsideProject): ProjectSchemas | FileProblems {
  try {
    return readTables(project, environmentNames(project));
  } catch (error) {
    if (error instanceof FileProblems) return error;
    throw error;
  }
}

function readTables(project: OutsideProject, { canonical, defaults }: EnvironmentNames): ProjectSchemas {
  const named = { kind: project.kind, defaults };
  const { paths, problems: missing } = outsideFiles('schemas', project);
  const problems: FileProblem[] = [...missing];
  const tables = new Map<string, DeclaredTable>();
  const typeOf = typeReader(project.kind);
  const collect = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof FileProblems)) throw error;
      problems.push(...error.problems);
    }
  };
  for (const file of paths)
    collect(() => {
      for (const [name, { place, columns }] of readTableSchemas(project.text(file) ?? '', file))
        collect(() => {
          for (const column of columns) typeOf(column);
          const declared = { table: canonical(tableNamed(name, place, named)), place, columns };
          const key = keyOf(declared.table);
          const other = tables.get(key);
          if (other === undefined) tables.set(key, declared);
          else if (contentOf(other) !== contentOf(declared))
            problems.push({
              ...place,
              message: `the table "${name}" has other columns at ${other.place.file}:${other.place.line}: remove one of the two`,
            });
        });
    });
  if (problems.length > 0) throw new FileProblems(problems);
  return { get: (table) => tables.get(keyOf(canonical(table))), all: [...tables.values()] };
}

/** Reads each type once: a file has many columns of few types. */
function typeReader(kind: WarehouseKind): (column: WrittenColumn) => SqlType | undefined {
  const types = new Map<string, SqlType | undefined>();
  return (column) => {
    if (types.has(column.type)) return types.get(column.type);
    const type = readColumnType(column, kind);
    types.set(column.type, type);
    return type;
  };
}

function contentOf({ columns }: DeclaredTable): string {
  return JSON.stringify(columns.map(({ name, type }) => [name, type.toLowerCase()]));
}

function keyOf({ database, schema, table }: TableName): string {
  return JSON.stringify([database, schema, table]);
}
