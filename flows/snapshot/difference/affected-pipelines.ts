import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { type ChangedPipeline, changedPipelines, type KnownFiles } from './changed-pipelines.ts';
import { callEdges, type Edge, objectUsers, tableReaders } from './edges.ts';
import { openEdges, pipelineWrites } from './open-edges.ts';
import { changedStreaming, readersOfChangedDeclarations } from './outside-changes.ts';
import { passedEdges } from './passed-edges.ts';
import type { ProjectFacts } from './project-facts.ts';

/** A pipeline that a change may affect, although it has not changed itself. */
export interface AffectedPipeline {
  readonly pipeline: string;
  readonly line: number;
  /** Why, as a path from the pipeline to the change: one step after the other. */
  readonly because: readonly string[];
}

/** A connection between pipelines: `to` calls `from`, or reads a table that `from` writes. */
export type AffectedEdge = Pick<Edge, 'from' | 'to' | 'line' | 'table' | 'isSure'>;

/** The pipelines that a change changes, and those that it affects. */
export interface AffectedPipelines {
  /** In the order of the paths. */
  readonly changed: readonly ChangedPipeline[];
  readonly affected: readonly AffectedPipeline[];
  /** Changed and affected pipelines that no pipeline of the project calls: running them runs all of them. */
  readonly entryPoints: readonly string[];
  /** How changed and affected pipelines are connected. */
  readonly edges: readonly AffectedEdge[];
  /** Pipelines that may be affected, and write tables whose names are known only at run time: the readers of these tables are left out. */
  readonly notFollowed: readonly string[];
  /** What changed, and what calls it, directly or through others. */
  readonly callers: Reached;
}

/** Affected pipelines by path: the line, and the path of reasons to the change. */
export type Reached = ReadonlyMap<string, { readonly line: number; readonly because: readonly string[] }>;

/** What a change of a project affects: callers, and readers of tables that changed pipelines write. */
export function affectedPipelines(
  now: ProjectFacts,
  before: ProjectFacts,
  files: KnownFiles,
): AffectedPipelines {
  const pipelinesChanged = changedPipelines(now, before, files);
  const changed = [...pipelinesChanged, ...changedStreaming(now, before)].toSorted((a, b) =>
    compareTexts(a.pipeline, b.pipeline),
  );
  // A renamed pipeline is gone from its old path, and callers may still name it.
  const paths = new Set(changed.map(({ pipeline }) => pipeline));
  const renamed = [...files.renamed].filter(([path]) => paths.has(path));
  const declarations = readersOfChangedDeclarations(now, before);
  const start: Reached = new Map([
    ...declarations.map(({ file }) => [file, { line: 1, because: [`${file} changed`] }] as const),
    ...changed.map(
      ({ pipeline, line = 1, what }) =>
        [pipeline, { line, because: [`${withoutSuffix(pipeline)} ${what}`] }] as const,
    ),
    ...renamed.map(
      ([path, old]) => [old, { line: 1, because: [`${withoutSuffix(old)} is now ${path}`] }] as const,
    ),
  ]);
  // The calls of before also lead to pipelines that are deleted or renamed.
  const changedPaths = [
    ...pipelinesChanged.map(({ pipeline }) => pipeline),
    ...renamed.map(([, old]) => old),
  ];
  const callsNow = callEdges(now, changedPaths);
  const calls = [...callsNow, ...callEdges(before, [])];
  const [tables, objects] = [tableReaders(now, before), objectUsers(now, before)];
  const readers = (from: string) => [...tables.next(from), ...objects.next(from)];
  const declared = declarations.map(({ pipeline, file, line, how, table }): Edge => ({
    from: file,
    to: pipeline,
    line,
    how,
    movesData: true,
    table,
    isSure: true,
  }));
  const passed = passedEdges(now, before, pipelinesChanged);
  const writesOf = pipelineWrites(now, before);
  const open = openEdges(now, before, writesOf);
  const data = [...calls.filter(({ movesData }) => movesData), ...passed, ...declared];
  const sure = reachedFrom(start, data, readers);
  // One step that is only possible is followed, and not a second one after it: everything would follow from generic pipelines.
  const openFrom = [...sure.keys()].flatMap((from) => open(from));
  const moved = reachedFrom(firstSteps(sure, openFrom), data, readers);
  const reached = reachedFrom(moved, calls);
  const called = new Set(callEdges(now, []).map(({ from }) => from));
  const edges = [
    ...calls,
    ...passed,
    ...declared,
    ...[...moved.keys()].flatMap((from) => [...tables.all(from), ...objects.all(from)]),
    ...openFrom,
  ];
  return {
    changed,
    affected: [...reached]
      .filter(([pipeline]) => !start.has(pipeline))
      .map(([pipeline, { line, because }]) => ({ pipeline, line, because }))
      .toSorted((a, b) => compareTexts(a.pipeline, b.pipeline)),
    entryPoints: [...reached.keys()]
      .filter((path) => now.pipelines.has(path) && !called.has(path))
      .toSorted(compareTexts),
    edges: edgesAmong(edges, {
      reached,
      moved,
      newPaths: new Map(renamed.map(([path, old]) => [old, path])),
    }),
    notFollowed: [...moved.keys()]
      .filter((pipeline) => !sure.has(pipeline) && writesOf(pipeline).open.length > 0)
      .toSorted(compareTexts),
    callers: reachedFrom(start, calls),
  };
}

/** The edges that a change moves along, each pair of pipelines and table once; what is sure first. */
function edgesAmong(
  edges: readonly Edge[],
  {
    reached,
    moved,
    newPaths,
  }: {
    readonly reached: Reached;
    readonly moved: Reached;
    readonly newPaths: ReadonlyMap<string, string>;
  },
): readonly AffectedEdge[] {
  const among = new Map<string, AffectedEdge>();
  for (const { from: source, to: target, line, table, isSure, movesData } of edges) {
    if (!reached.has(target) || !(movesData ? moved : reached).has(source)) continue;
    const [from, to] = [newPaths.get(source) ?? source, newPaths.get(target) ?? target];
    if (from === to) continue;
    const key = JSON.stringify([from, to, table]);
    if (!among.has(key)) among.set(key, { from, to, line, table, isSure });
  }
  return [...among.values()].toSorted(
    (a, b) =>
      compareTexts(a.from, b.from) || compareTexts(a.to, b.to) || compareTexts(a.table ?? '', b.table ?? ''),
  );
}

/** Everything that edges lead to, each by a shortest path. `more`: further edges of one pipeline. */
function reachedFrom(
  start: Reached,
  edges: readonly Edge[],
  more: (from: string) => readonly Edge[] = () => [],
): Reached {
  const byFrom = Map.groupBy(edges, ({ from }) => from);
  const reached = new Map(start);
  // The loop also visits what it adds.
  for (const [pipeline, { because }] of reached)
    for (const { to, line, how } of [...(byFrom.get(pipeline) ?? []), ...more(pipeline)])
      if (!reached.has(to)) reached.set(to, { line, because: [`${withoutSuffix(to)} ${how}`, ...because] });
  return reached;
}

/** What was reached, and what edges lead to from there in one step. */
function firstSteps(reached: Reached, edges: readonly Edge[]): Reached {
  const all = new Map(reached);
  for (const { from, to, line, how } of edges)
    if (!all.has(to))
      all.set(to, {
        line,
        because: [`${withoutSuffix(to)} ${how}`, ...(reached.get(from)?.because ?? [])],
      });
  return all;
}
