import { affected } from '../../data-graph/affected/affected.ts';
import {
  type ChangedColumn,
  type ColumnReader,
  createdTables,
  type UnknownColumns,
  type UsedAt,
} from '../../data-graph/affected/changed-columns.ts';
import type { ChangedPipeline } from '../../data-graph/affected/changed-pipelines.ts';
import type { AffectedPipeline } from '../../data-graph/affected/affected.ts';
import { bindProject, type DataGraph } from '../../data-graph/bind/bind-project.ts';
import { breakingChanges } from '../../data-graph/compile/breaking-changes.ts';
import type { UnreadablePipeline } from '../../data-graph/texts/unreadable-pipelines.ts';
import type { ProjectOfCommit } from '../../pipeline-tests/files/project-of-commit.ts';
import type { TableName } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import type { CommitSource } from './compare-commits.ts';

/** Pipelines that do something else in the wanted version than in the live one. All paths are relative to the project. */
export interface PlannedPipelines {
  readonly changed: readonly ChangedPipeline[];
  readonly affected: readonly AffectedPipeline[];
  /** Changed and affected pipelines that no pipeline of the project calls. */
  readonly entryPoints: readonly string[];
  readonly unreadable: readonly UnreadablePipeline[];
}

/** A table or a column that is not as it is in the live version. */
export interface PlannedTableChange {
  readonly table: TableName;
  readonly change: 'created' | ChangedColumn['change'];
  /** Of a column, its name in the live version; of `added`, in the wanted one. */
  readonly column?: string;
  readonly before?: string;
  readonly after?: string;
  readonly writers: readonly UsedAt[];
  readonly readers: readonly ColumnReader[];
}

/** Something that no longer works in the wanted version, although the live version has it right. */
export interface BrokenReader {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface PlannedTables {
  /** Without the engine, only tables are known that pipelines create or no longer create. */
  readonly areColumnsKnown: boolean;
  readonly changes: readonly PlannedTableChange[];
  /** Tables whose definition changed, and whose columns are not all known. */
  readonly unknownColumns: readonly UnknownColumns[];
  readonly broken: readonly BrokenReader[];
}

/** What the pipelines of the wanted version change. */
export interface ProjectChanges {
  readonly pipelines: PlannedPipelines;
  readonly tables: PlannedTables;
}

/**
 * Compares the projects of two versions by what they mean, both from git's objects. Throws Failure 'git-failed', and 'config-invalid' for a
 * wrong file about what is outside of the wanted project.
 * @param packages the folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages
 */
export async function compareProjects(
  { live, wanted }: { readonly live: Side; readonly wanted: Side },
  { repository, directory, signal }: CommitSource,
  packages?: string,
): Promise<ProjectChanges> {
  if (live.commit === wanted.commit) return noChanges;
  const { project } = live;
  const changes = await repository.changedFiles(live.commit, wanted.commit, { signal });
  const prefix = inRepository(directory, '');
  const inProject = (path: string | undefined) =>
    path?.startsWith(prefix) === true ? path.slice(prefix.length) : undefined;
  const renamed = changes.flatMap(({ path, oldPath }) => pair(inProject(path), inProject(oldPath)));
  const base = {
    project,
    changed: new Map(changes.flatMap(({ status, path }) => pair(inProject(path), status))),
    // A file may have moved to another project in a folder of this one.
    renamed: new Map(renamed.filter(([path, old]) => wanted.project.has(path) && project.has(old))),
  };
  const { now, before, areColumnsKnown } = await bindBoth(wanted, live, { signal, packages });
  const { changed, entryPoints, unreadable, columns, unknownColumns, ...rest } = affected(now, before, base);
  return {
    pipelines: { changed, affected: rest.affected, entryPoints, unreadable },
    tables: {
      areColumnsKnown,
      changes: [...createdTables(now, before).map(created), ...columns.map(changedColumn)].toSorted(
        compareTables,
      ),
      unknownColumns,
      broken: brokenReaders(now, before),
    },
  };
}

/** A project with its commit. */
export interface Side extends Pick<ProjectOfCommit, 'project'> {
  readonly commit: string;
}

const noChanges: ProjectChanges = {
  pipelines: { changed: [], affected: [], entryPoints: [], unreadable: [] },
  tables: { areColumnsKnown: true, changes: [], unknownColumns: [], broken: [] },
};

function pair<Value>(key: string | undefined, value: Value | undefined): [string, Value][] {
  return key === undefined || value === undefined ? [] : [[key, value]];
}

/** Binds both projects; without DuckDB, only by the names of tables. */
async function bindBoth(
  { project: wanted }: Side,
  { project: live }: Side,
  { signal, packages }: { readonly signal: AbortSignal; readonly packages: string | undefined },
): Promise<{ readonly now: DataGraph; readonly before: DataGraph; readonly areColumnsKnown: boolean }> {
  const bind = async (columns: boolean) => {
    const now = await bindProject(wanted, { signal, packages, columns });
    return { now, before: await bindProject(live, { signal, packages, columns, after: now }) };
  };
  try {
    return { ...(await bind(true)), areColumnsKnown: true };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'engine-missing') throw error;
    return { ...(await bind(false)), areColumnsKnown: false };
  }
}

function created({ table, writers, readers }: ReturnType<typeof createdTables>[number]): PlannedTableChange {
  return { table, change: 'created', writers, readers };
}

function changedColumn({
  table,
  column,
  change,
  before,
  after,
  writers,
  readers,
}: ChangedColumn): PlannedTableChange {
  return {
    table,
    change,
    ...(column === undefined ? {} : { column }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    writers,
    readers,
  };
}

function compareTables(a: PlannedTableChange, b: PlannedTableChange): number {
  return (
    compareTexts(nameOf(a.table), nameOf(b.table)) ||
    compareTexts(a.column ?? '', b.column ?? '') ||
    compareTexts(a.change, b.change)
  );
}

function nameOf({ database, schema, table }: TableName): string {
  return `${database}.${schema}.${table}`;
}

function brokenReaders(now: DataGraph, before: DataGraph): readonly BrokenReader[] {
  return breakingChanges(now, before)
    .findings.map(({ file, line, message }) => ({ file, line, message }))
    .toSorted(
      (a, b) => compareTexts(a.file, b.file) || a.line - b.line || compareTexts(a.message, b.message),
    );
}
