import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { Snapshot } from '../snapshot.ts';
import { type AffectedPipeline, affectedPipelines } from './affected-pipelines.ts';
import { type BrokenReader, brokenReaders } from './broken-readers.ts';
import type { ChangedPipeline } from './changed-pipelines.ts';
import {
  type ChangedColumn,
  changedTables,
  type ColumnReader,
  type UnknownColumns,
  type UsedAt,
} from './changed-columns.ts';
import { projectFacts, type ProjectFacts, type TableName } from './project-facts.ts';
import { renamedFiles } from './renamed-files.ts';
import {
  type PublishedDifference,
  publishedDifferences,
  type SharedCallDifference,
  sharedCallDifferences,
} from './shared-pipelines.ts';

/** What the wanted version does differently from the live one. All paths are relative to the project. */
export interface SnapshotDifference {
  readonly pipelines: PipelineDifferences;
  readonly tables: TableDifferences;
  /** Calls of pipelines of the project that only one side has. */
  readonly calls: {
    readonly added: readonly CallDifference[];
    readonly removed: readonly CallDifference[];
  };
  /** Shared pipelines whose called version differs, or that changed or affected pipelines call. */
  readonly shared: readonly SharedCallDifference[];
  /** Shared pipelines that the project publishes, and whose consumers get something else. */
  readonly published: readonly PublishedDifference[];
  /** The connectors that changed and affected pipelines of the wanted side read, as they call them. */
  readonly connectors: readonly string[];
  /** The names of variables that changed and affected pipelines of the wanted side use, in their order. */
  readonly variables: readonly string[];
}

/** The pipelines that do something different in the wanted version. */
export interface PipelineDifferences {
  readonly changed: readonly ChangedPipeline[];
  readonly affected: readonly AffectedPipeline[];
  /** Changed and affected pipelines that no pipeline of the project calls. */
  readonly entryPoints: readonly string[];
  /** Pipelines of the wanted side that cannot be read. */
  readonly unreadable: readonly UnreadablePipeline[];
}

/** A pipeline of which nothing is known, because its file cannot be read. */
export interface UnreadablePipeline {
  readonly pipeline: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A table or column that differs from the live version. */
export interface TableDifference {
  readonly table: TableName;
  readonly change: 'created' | ChangedColumn['change'];
  /** Of a column, its name in the live version; of `added`, in the wanted one. */
  readonly column?: string;
  readonly before?: string;
  readonly after?: string;
  readonly writers: readonly UsedAt[];
  readonly readers: readonly ColumnReader[];
}

export interface TableDifferences {
  /** Whether both snapshots know columns. Otherwise only tables are known that pipelines create or no longer create. */
  readonly areColumnsKnown: boolean;
  readonly changes: readonly TableDifference[];
  /** Tables whose definition changed, and whose columns are not all known. */
  readonly unknownColumns: readonly UnknownColumns[];
  /** What no longer works in the wanted version, although the live version has it right. */
  readonly broken: readonly BrokenReader[];
}

export interface CallDifference {
  readonly caller: string;
  readonly called: string;
}

/** Compares what two versions do, using only their snapshots. */
export function differenceOf(live: Snapshot, wanted: Snapshot): SnapshotDifference {
  const now = projectFacts(wanted);
  const before = projectFacts(live, wanted.defaults);
  const files = { renamed: renamedFiles(wanted, before.snapshot), unknown: new Map<string, string>() };
  const { changed, affected, entryPoints } = affectedPipelines(now, before, files);
  const [changedPaths, affectedPaths] = [changed, affected].map(
    (list) => new Set(list.map(({ pipeline }) => pipeline)),
  ) as [Set<string>, Set<string>];
  const concerned = changedPaths.union(affectedPaths);
  return {
    pipelines: { changed, affected, entryPoints, unreadable: unreadablePipelines(wanted) },
    tables: tableDifferences(now, before),
    calls: callDifferences(now, before),
    shared: sharedCallDifferences(wanted, live, (pipeline) => concerned.has(pipeline)),
    published: publishedDifferences(wanted, live, { changed: changedPaths, affected: affectedPaths }),
    connectors: namesIn(wanted, 'connectors', (pipeline) => concerned.has(pipeline)),
    variables: namesIn(wanted, 'uses', (pipeline) => concerned.has(pipeline)),
  };
}

/**
 * The sorted names of the variables in a plan: those that changed and affected pipelines use; without a difference,
 * those that any pipeline of the wanted version uses.
 */
export function namesOfVariables(
  wanted: Snapshot,
  difference: Pick<SnapshotDifference, 'variables'> | undefined,
): readonly string[] {
  return difference?.variables ?? namesIn(wanted, 'uses', () => true);
}

/** What some pipelines name, each once, in the order of the names. */
function namesIn(
  { pipelines }: Snapshot,
  key: 'uses' | 'connectors',
  concerned: (pipeline: string) => boolean,
): readonly string[] {
  const names = new Set(pipelines.flatMap((pipeline) => (concerned(pipeline.path) ? pipeline[key] : [])));
  return [...names].toSorted(compareTexts);
}

function unreadablePipelines({ pipelines }: Snapshot): readonly UnreadablePipeline[] {
  return pipelines.flatMap(({ path, unreadable }) =>
    unreadable === undefined ? [] : [{ pipeline: path, file: path, ...unreadable }],
  );
}

function tableDifferences(now: ProjectFacts, before: ProjectFacts): TableDifferences {
  const { columns, unknown, created } = changedTables(now, before);
  const changes: readonly TableDifference[] = [
    ...created.map((each) => ({ ...each, change: 'created' as const })),
    ...columns.map(withoutUndefined),
  ];
  return {
    areColumnsKnown: [now, before].every(({ snapshot }) => snapshot.columns === 'known'),
    changes: changes.toSorted(compareTables),
    unknownColumns: unknown,
    broken: brokenReaders(now, before),
  };
}

function withoutUndefined({ column, before, after, ...change }: ChangedColumn): TableDifference {
  return {
    ...change,
    ...(column === undefined ? {} : { column }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

function compareTables(a: TableDifference, b: TableDifference): number {
  return (
    compareTexts(nameOf(a.table), nameOf(b.table)) ||
    compareTexts(a.column ?? '', b.column ?? '') ||
    compareTexts(a.change, b.change)
  );
}

function nameOf({ database, schema, table }: TableName): string {
  return `${database}.${schema}.${table}`;
}

function callDifferences(now: ProjectFacts, before: ProjectFacts): SnapshotDifference['calls'] {
  const [list, old] = [now, before].map(callsOf) as [Calls, Calls];
  const lacking = (calls: Calls, others: Calls) =>
    [...calls]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .flatMap(([key, call]) => (others.has(key) ? [] : [call]));
  return { added: lacking(list, old), removed: lacking(old, list) };
}

type Calls = ReadonlyMap<string, CallDifference>;

function callsOf({ pipelines }: ProjectFacts): Calls {
  return new Map(
    [...pipelines.values()].flatMap(({ path: caller, calls }) =>
      calls.flatMap(({ path: called }) =>
        called === undefined ? [] : [[JSON.stringify([caller, called]), { caller, called }] as const],
      ),
    ),
  );
}
