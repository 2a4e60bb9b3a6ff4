import { isLike } from '../components/is-like.ts';
import { FileProblems } from '../tables/file-problem.ts';
import type { Place } from '../core/refusal.ts';
import type { TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import type { EnvironmentDefaults } from '../parameters/read-table.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { CallTargets } from '../../lib/pipelines/model/calls.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { variablesOfCalls } from '../../lib/pipelines/model/variables-of-calls.ts';
import type { TableEffect } from './component-uses.ts';
import { namedTables, type NamedTableUse } from './named-tables.ts';

/** The pipelines of a project, and the settings that determine which tables their names refer to. */
export interface NamingProject {
  /** The pipelines by their path, relative to the project. */
  readonly documents: ReadonlyMap<string, PipelineDocument>;
  readonly targets: CallTargets;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /** Maps a name to the table that it refers to, if one table has different names in different environments. */
  readonly canonical?: ((table: TableName) => TableName) | undefined;
  /** Tables that are created by something other than a pipeline, such as a streaming pipeline. */
  readonly created?: readonly CreatedTable[] | undefined;
  /** Returns the text of a file of the project. Throws FileProblems. */
  readonly files: (path: string) => string | undefined;
}

/** A table, with the file and the position that create it. */
export interface CreatedTable {
  readonly table: TableName;
  readonly pipeline: string;
  readonly component: string;
  readonly place: Place;
}

/** A table or view that a pipeline names. */
export interface ProjectTable extends TableName {
  /** The full name: `DATABASE.SCHEMA.TABLE`. */
  readonly name: string;
  /** The shortest name: without the database and the schema if they are the defaults. */
  readonly label: string;
  /** Whether a component of the project creates it. */
  readonly created: boolean;
}

/**
 * How a component uses a table. `writes` adds rows, `changes` updates or removes rows, and `alters` changes the
 * columns.
 */
export type TableVerb = 'reads' | 'creates' | 'writes' | 'changes' | 'alters' | 'drops';

/** The place where a pipeline uses a table. The place is in the file of the pipeline or in a script. */
interface ProjectPlace {
  readonly pipeline: string;
  readonly component: string;
  readonly file: string;
  readonly line: number;
}

export interface ProjectUse extends ProjectPlace {
  /** The full name of the table. */
  readonly table: string;
  readonly effect: TableVerb;
}

/** A component that may use tables that cannot be determined. Without a component: a pipeline that cannot be read. */
export interface ProjectUnknown extends Omit<ProjectPlace, 'component'> {
  readonly component?: string;
  readonly reason: string;
}

/** The tables that the pipelines of a project name. */
export interface TablesOfProject {
  /** The tables, sorted by name. */
  readonly tables: readonly ProjectTable[];
  /** The uses, in the order of the pipelines. */
  readonly uses: readonly ProjectUse[];
  readonly unknown: readonly ProjectUnknown[];
}

const verbs: Readonly<Record<TableEffect['effect'], TableVerb>> = {
  read: 'reads',
  define: 'creates',
  insert: 'writes',
  change: 'changes',
  alter: 'alters',
  drop: 'drops',
};

interface Use extends NamedTableUse {
  readonly pipeline: string;
}

/**
 * Finds the names of tables in the parameters and the SQL of all pipelines. Nothing runs, so no warehouse is
 * needed, and no columns are known.
 */
export function tablesOfProject(project: NamingProject): TablesOfProject {
  const { documents, defaults } = project;
  const variablesOf = variablesOfCalls(documents.values(), project.targets);
  const context = { kind: project.kind, defaults, files: textReader(project) };
  const { canonical = (table) => table } = project;
  const all: Use[] = [];
  const unknown: ProjectUnknown[] = [];
  for (const [pipeline, document] of documents) {
    const ownFile = document.source.file;
    const placed = ({ file, line }: Place) => ({ pipeline, file: file === ownFile ? pipeline : file, line });
    const [problem] = document.problems;
    if (problem !== undefined)
      unknown.push({ ...placed({ file: ownFile, line: problem.line, column: 1 }), reason: problem.message });
    const named = namedTables(document, { ...context, setByCallers: variablesOf(pipeline) });
    all.push(
      ...named.uses.map((use) => ({
        ...use,
        table: canonical(use.table),
        pipeline,
        place: { ...use.place, ...placed(use.place) },
      })),
    );
    for (const { component, place, reason } of named.unnamed)
      unknown.push({ ...placed(place), component, reason });
  }
  for (const each of project.created ?? []) all.push({ ...each, effect: 'define', isPattern: false });
  const uses = withoutPatterns(all, unknown);
  return {
    tables: tablesOf(uses, defaults),
    uses: uses.map(({ pipeline, table, effect, component, place: { file, line } }) => ({
      pipeline,
      table: nameOf(table),
      effect: verbs[effect],
      component,
      file,
      line,
    })),
    unknown,
  };
}

/** A reader for which a file that is not readable text names no tables. */
function textReader({ files }: NamingProject): NamingProject['files'] {
  return (path) => {
    try {
      return files(path);
    } catch (error) {
      if (error instanceof FileProblems) return undefined;
      throw error;
    }
  };
}

/** Replaces each pattern by the tables whose names match it. */
function withoutPatterns(all: readonly Use[], unknown: ProjectUnknown[]): readonly Use[] {
  const inSchema = Map.groupBy(
    all.filter(({ isPattern, effect }) => !isPattern && effect !== 'drop').map(({ table }) => table),
    ({ database, schema }) => JSON.stringify([database, schema]),
  );
  return all.flatMap((use) => {
    if (!use.isPattern) return [use];
    const { database, schema, table: pattern } = use.table;
    const names = new Set((inSchema.get(JSON.stringify([database, schema])) ?? []).map(({ table }) => table));
    const matching = [...names].filter((table) => isLike(table, pattern));
    const { pipeline, component, place } = use;
    const reason = `no component of the project names a table that matches the pattern "${pattern}"`;
    if (matching.length === 0)
      unknown.push({ pipeline, component, file: place.file, line: place.line, reason });
    return matching.map((table) => ({ ...use, table: { database, schema, table } }));
  });
}

function tablesOf(uses: readonly Use[], defaults: EnvironmentDefaults): readonly ProjectTable[] {
  const groups = Map.groupBy(uses, ({ table }) => nameOf(table));
  return [...groups]
    .map(([name, [first, ...others]]): ProjectTable => {
      const { database = '', schema = '', table = '' } = first?.table ?? {};
      const created = [first, ...others].some((use) => use?.effect === 'define');
      return {
        name,
        database,
        schema,
        table,
        label: labelOf({ database, schema, table }, defaults),
        created,
      };
    })
    .toSorted((a, b) => compareTexts(a.name, b.name));
}

function nameOf({ database, schema, table }: TableName): string {
  return `${database}.${schema}.${table}`;
}

function labelOf({ database, schema, table }: TableName, defaults: EnvironmentDefaults): string {
  if (database !== defaults.database) return nameOf({ database, schema, table });
  return schema === defaults.schema ? table : `${schema}.${table}`;
}
