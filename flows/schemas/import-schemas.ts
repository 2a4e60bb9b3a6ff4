import { FileProblems } from '../../engine/index.ts';
import { invalidConfig } from '../../lib/config/fields/read-config.ts';
import { compileGlob } from '../../lib/core/files/glob.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { bindProject } from '../data-graph/bind/bind-project.ts';
import { compile } from '../data-graph/compile/compile.ts';
import { isOutsideFile, noOutsideFiles } from '../pipeline-tests/outside/outside-files.ts';
import { overlayProject } from '../pipeline-tests/files/overlay-project.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { type ExportedTable, readExport } from './read-export.ts';
import { type DefaultNames, isIn, schemasFiles } from './schemas-text.ts';

export interface ImportRequest {
  readonly project: TestProject;
  /** The CSV of `information_schema.columns`. */
  readonly text: string;
  /** Its name in messages. */
  readonly file: string;
  /** The folder of the files, relative to the project; `''` for the project's own. */
  readonly folder: string;
  /** Import tables too that the project does not name. */
  readonly all: boolean;
  /** Databases and schemas that `[Environment Default]` means: their tables are written without them. */
  readonly defaults: readonly DefaultNames[];
  readonly signal: AbortSignal;
}

/** A file that the import writes. */
export interface ImportedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  readonly tables: number;
  readonly columns: number;
  /** `replaced`: the file exists with another content. */
  readonly change: 'created' | 'replaced' | 'unchanged';
}

export interface ImportedSchemas {
  readonly files: readonly ImportedFile[];
  /** Tables of the export, without those that describe the warehouse itself. */
  readonly exported: number;
  readonly imported: number;
  /** Types that the engine does not know, with the number of their columns. */
  readonly unknownTypes: readonly { readonly type: string; readonly columns: number }[];
  /** Tables whose names a file of schemas cannot write. */
  readonly leftOut: readonly string[];
  /** The patterns to add to `schemas` in millrace.yaml; empty if the file has them. */
  readonly settings: readonly string[];
  /** What is known after the import; undefined without the engine. */
  readonly reads:
    | {
        readonly bound: number;
        readonly total: number;
        /** Tables that components read and that are still not known, the one with most reads first. */
        readonly lacking: readonly { readonly table: string; readonly reads: number }[];
      }
    | undefined;
}

/** How many schemas a message lists at most. */
const maxNames = 10;

/** Schemas that describe the warehouse itself. */
const ownSchemas = /^(?:information_schema|pg_catalog)$/i;

/**
 * Computes the files that an import writes, without writing them. Throws Failure 'usage' for a default schema that
 * the export does not have, and 'config-invalid' with line and column of the export, also for tables that another
 * file of `schemas` declares with other columns.
 */
export async function importSchemas(request: ImportRequest): Promise<ImportedSchemas> {
  const { project, folder, all, defaults } = request;
  const tables = (await exportedTables(request)).filter(({ schema }) => !ownSchemas.test(schema));
  refuseOtherDefaults(defaults, tables);
  const isNamed = all ? () => true : namedIn(project);
  const named = tables.filter(({ table }) => isNamed(table));
  const leftOut = named.filter(({ database, schema, table }) =>
    [database, schema, table].some((name) => name.includes('.')),
  );
  const imported = named.filter((table) => !leftOut.includes(table));
  const path = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const files = schemasFiles(imported, defaults).map(({ name, ...file }): ImportedFile => ({
    ...file,
    path: path(name),
    change: changeOf(project, path(name), file.text),
  }));
  const settings = missingSettings(files, path('*.yaml'), project);
  return {
    files,
    exported: tables.length,
    imported: imported.length,
    unknownTypes: unknownTypes(imported),
    leftOut: leftOut.map(({ database, schema, table }) => JSON.stringify([database, schema, table])),
    settings,
    reads: await readsAfter(files, settings, request),
  };
}

/** What `schemas` lacks: a pattern for all files, or their names where the pattern would match other files too. */
function missingSettings(
  files: readonly ImportedFile[],
  pattern: string,
  { outside, paths }: TestProject,
): readonly string[] {
  const isListed = isOutsideFile({ ...noOutsideFiles, schemas: outside.schemas });
  const names = files.map(({ path }) => path);
  const missing = names.filter((name) => !isListed(name));
  if (missing.length === 0) return [];
  const matches = compileGlob(pattern);
  return paths.some((path) => matches(path) && !names.includes(path)) ? missing : [pattern];
}

async function exportedTables({ text, file, project }: ImportRequest): Promise<readonly ExportedTable[]> {
  try {
    return await readExport(text, file, project.kind);
  } catch (error) {
    if (error instanceof FileProblems) throw invalidConfig(error.problems);
    throw error;
  }
}

/** Throws Failure 'usage' for a default schema that the export does not have. */
function refuseOtherDefaults(defaults: readonly DefaultNames[], tables: readonly ExportedTable[]): void {
  const other = defaults.find((each) => !tables.some((table) => isIn(table, each)));
  if (other === undefined) return;
  const names = new Set(tables.map(({ database, schema }) => `${database}.${schema}`));
  throw new Failure('usage', {
    message: `The export has no table in ${other.database}.${other.schema}${meantClause(`${other.database}.${other.schema}`, [...names]) || '.'}`,
    where: { input: '--environment-default' },
    hint: `Write the name as the export has it: upper and lower case count. It has ${[...names].slice(0, maxNames).join(', ')}${names.size > maxNames ? ', …' : ''}.`,
  });
}

const words = /[\p{L}\p{N}_$]+/gu;

/** Whether pipelines, scripts or tests of the project have the words of a name, in any case. */
function namedIn(project: TestProject): (table: string) => boolean {
  const found = new Set<string>();
  for (const path of project.paths) {
    if (kindOf(path) === undefined && !/\.(?:sql|py|test\.yaml)$/.test(path)) continue;
    for (const [word] of (textOf(path, project) ?? '').toLowerCase().matchAll(words)) found.add(word);
  }
  return (table) => (table.toLowerCase().match(words) ?? []).every((word) => found.has(word));
}

function textOf(path: string, project: TestProject): string | undefined {
  try {
    return project.text(path);
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}

function changeOf(project: TestProject, path: string, text: string): ImportedFile['change'] {
  if (!project.has(path)) return 'created';
  return textOf(path, project) === text ? 'unchanged' : 'replaced';
}

function unknownTypes(tables: readonly ExportedTable[]): ImportedSchemas['unknownTypes'] {
  const columns = tables.flatMap((table) => table.columns).filter(({ type }) => type === undefined);
  const groups = Map.groupBy(columns, ({ exportedType }) => exportedType);
  return Array.from(groups, ([type, list]) => ({ type, columns: list.length })).toSorted(
    (a, b) => b.columns - a.columns,
  );
}

async function readsAfter(
  files: readonly ImportedFile[],
  settings: readonly string[],
  { project, signal }: ImportRequest,
): Promise<ImportedSchemas['reads']> {
  const { kind, defaults, sharedSource, outside } = project;
  const schemas = [...outside.schemas, ...settings];
  const after = overlayProject(project, {
    contents: new Map(files.map(({ path, text }) => [path, Buffer.from(text)])),
    settings: {
      kind,
      defaults,
      sharedSource,
      outside: { ...outside, schemas },
      callFolder: project.roots.set,
    },
  });
  try {
    const { reads, outside: tables } = compile(await bindProject(after, { signal }));
    const lacking = tables
      .filter(({ isKnown }) => !isKnown)
      .map(({ table, reads: count }) => ({
        table: `${table.database}.${table.schema}.${table.table}`,
        reads: count,
      }));
    return { ...reads, lacking };
  } catch (error) {
    if (error instanceof Failure && error.code === 'engine-missing') return undefined;
    throw error;
  }
}
