import type { TableName } from '../../engine/index.ts';
import { calledPath, callsOf } from '../../lib/pipelines/model/calls.ts';
import { isEmpty } from '../../lib/yaml/yaml-node.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { DataGraph } from './bind-project.ts';
import { type ChangedPipeline, changedPipelines, type ProjectBefore } from './changed-pipelines.ts';
import { tableKey } from './project-tables.ts';
import { unreadParts } from './unread-parts.ts';

/** A pipeline that a change may affect, although it has not changed itself. */
export interface AffectedPipeline {
  readonly pipeline: string;
  readonly line: number;
  /** Why, as a path from the pipeline to the change: one step after the other. */
  readonly because: readonly string[];
}

/** A test file whose result a change may change. */
export interface AffectedTest {
  readonly test: string;
  readonly because: readonly string[];
}

export interface AffectedReport {
  /** In the order of the paths. */
  readonly changed: readonly ChangedPipeline[];
  readonly affected: readonly AffectedPipeline[];
  /** Changed and affected pipelines that no pipeline of the project calls: running them runs all of them. */
  readonly entryPoints: readonly string[];
  readonly tests: readonly AffectedTest[];
}

/** If `from` changes, `to` is affected. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  /** What `to` does with `from`: the end of a sentence. */
  readonly how: string;
  /** Whether `to` may write other data: a caller itself does only what it did, unless it uses a result of the call. */
  readonly movesData: boolean;
}

/** What a change of a project affects: callers, readers of tables that changed pipelines write, and tests. */
export function affected(graph: DataGraph, before: DataGraph, base: ProjectBefore): AffectedReport {
  const { project } = graph;
  const changed = changedPipelines(project, base).toSorted((a, b) => compareTexts(a.pipeline, b.pipeline));
  const start: Reached = new Map(
    changed.map(({ pipeline, line = 1, what }) => [
      pipeline,
      { line, because: [`${withoutSuffix(pipeline)} ${what}`] },
    ]),
  );
  // The calls of before also lead to pipelines that are deleted.
  const calls = [...callEdges(graph, [...start.keys()]), ...callEdges(before, [])];
  const data = [...calls.filter(({ movesData }) => movesData), ...tableEdges(graph, before)];
  const moved = reachedFrom(start, data, openEdges(graph, before));
  const reached = reachedFrom(moved, calls);
  const called = new Set(callEdges(graph, []).map(({ from }) => from));
  const pipelines = [...reached.keys()].filter((path) => project.has(path)).toSorted(compareTexts);
  return {
    changed,
    affected: [...reached]
      .filter(([pipeline]) => !start.has(pipeline))
      .map(([pipeline, { line, because }]) => ({ pipeline, line, because }))
      .toSorted((a, b) => compareTexts(a.pipeline, b.pipeline)),
    entryPoints: pipelines.filter((pipeline) => !called.has(pipeline)),
    tests: affectedTests(graph, base, reachedFrom(start, calls)),
  };
}

type Reached = ReadonlyMap<string, { readonly line: number; readonly because: readonly string[] }>;

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

/** Calls between pipelines of the project. A call that is known only at run time may be one of any of `changed`. */
function callEdges({ project, pipelines }: DataGraph, changed: readonly string[]): readonly Edge[] {
  const targets = { has: (path: string) => project.has(path), shared: project.shared };
  return [...pipelines.keys()].flatMap((path) => {
    const document = project.pipeline(path);
    return (document === undefined ? [] : callsOf(document)).flatMap((call): Edge[] => {
      const { line } = call.component.range;
      const movesData = !isEmpty(call.component.node('postProcessing'));
      const edge = (from: string, how: string): Edge => ({ from, to: path, line, how, movesData });
      if (call.dynamic)
        return changed.map((from) => edge(from, 'calls a pipeline that is known only at run time'));
      const called = calledPath(call, targets);
      return called === undefined ? [] : [edge(called, `calls ${withoutSuffix(called)}`)];
    });
  });
}

/** From each pipeline that writes a table, now or before, to each that reads it. */
function tableEdges(graph: DataGraph, before: DataGraph): readonly Edge[] {
  const writers = new Map<string, Set<string>>();
  for (const { pipelines } of [before, graph])
    for (const [pipeline, { writes }] of pipelines)
      for (const { table } of writes) {
        const key = tableKey(table);
        writers.set(key, (writers.get(key) ?? new Set()).add(pipeline));
      }
  return [...graph.pipelines].flatMap(([to, { reads }]) =>
    reads.flatMap(({ table, place }) =>
      [...(writers.get(tableKey(table)) ?? [])]
        .filter((from) => from !== to)
        .map((from): Edge => {
          const how = `reads ${table.table}, which ${withoutSuffix(from)} writes`;
          return { from, to, line: place.line, how, movesData: true };
        }),
    ),
  );
}

/** What may read a table that the binding does not know of, with the place and the end of a sentence. */
type OpenReader = Pick<Edge, 'to' | 'line' | 'how'>;

const openName = 'reads a table whose name is known only at run time';
const openSql = 'runs SQL that is known only at run time, and may read any table';

/** Gives the edges of one pipeline to what may read its tables although no table is known for sure: it may be any. */
function openEdges(graph: DataGraph, before: DataGraph): (from: string) => readonly Edge[] {
  const parts = [...graph.pipelines].flatMap(([to, bound]) => {
    const document = graph.project.pipeline(to);
    return (document === undefined ? [] : unreadParts(document, bound, graph.project)).map((part) => ({
      to,
      ...part,
    }));
  });
  const openReaders: readonly OpenReader[] = [
    ...[...graph.pipelines].flatMap(([to, { open }]) =>
      open.flatMap(({ effect, place: { line } }) => (effect === 'read' ? { to, line, how: openName } : [])),
    ),
    ...parts.flatMap(({ to, line, isOpen }) => (isOpen ? { to, line, how: openSql } : [])),
  ];
  const reads = [...graph.pipelines].flatMap(([to, bound]) =>
    bound.reads.map(({ table, place: { line } }) => ({ to, line, table })),
  );
  return (from) => {
    const name = withoutSuffix(from);
    const sides = [graph, before].flatMap(({ pipelines }) => pipelines.get(from) ?? []);
    const tables = new Set(sides.flatMap(({ writes }) => writes.map(({ table }) => table.table)));
    const open = sides.flatMap((side) => side.open).filter(({ effect }) => effect === 'write');
    const mayBe = open.map(({ table }) => nameMatcher(table));
    const named = reads.filter(({ table }) => mayBe.some((matches) => matches(table)));
    const mentioned = [...tables].flatMap((table) =>
      parts
        .filter(({ words }) => (words.get(table.toLowerCase()) ?? 0) > 0)
        .map(({ to, line }): OpenReader => ({
          to,
          line,
          how: `names ${table}, which ${name} writes, in a component of which not everything is known`,
        })),
    );
    const may = `${name} may write: the name of its table is known only at run time`;
    const readers = [
      ...mentioned,
      ...(tables.size > 0 || open.length > 0 ? openReaders : []),
      ...named.map(({ to, line, table }) => ({ to, line, how: `reads ${table.table}, which ${may}` })),
    ];
    return readers.filter(({ to }) => to !== from).map((reader) => ({ from, ...reader, movesData: true }));
  };
}

/** Tells whether a table may be the one with a name in which `*` means what is not known. */
function nameMatcher(open: TableName): (table: TableName) => boolean {
  const [database, schema, name] = [open.database, open.schema, open.table].map(
    (text) => new RegExp(`^${text.split('*').map(RegExp.escape).join('.*')}$`, 's'),
  );
  return (table) =>
    database?.test(table.database) === true &&
    schema?.test(table.schema) === true &&
    name?.test(table.table) === true;
}

/** A test runs its pipeline and what that calls, on rows of its own: only these pipelines and its own files count. */
function affectedTests(
  { tests, project }: DataGraph,
  base: ProjectBefore,
  reached: Reached,
): readonly AffectedTest[] {
  return tests.files.flatMap(({ test, pipeline, beside }): AffectedTest[] => {
    const own = [test, ...beside].find((file) => base.changed.has(file));
    if (own !== undefined)
      return [{ test, because: [own === test ? 'the test changed' : `it reads ${own}, which changed`] }];
    const because = pipeline === undefined ? undefined : reached.get(pipeline)?.because;
    if (pipeline === undefined) return [{ test, because: ['it cannot be read'] }];
    return because === undefined || !project.has(pipeline)
      ? []
      : [{ test, because: [`it tests ${withoutSuffix(pipeline)}`, ...because] }];
  });
}
