import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type EnvironmentDefaults,
  tablesOfProject,
  type TablesOfProject,
  type WarehouseKind,
} from '../../../engine/index.ts';
import type { DrawnGraph, DrawnPipeline } from '../../../lib/drawing/drawn-graph.ts';
import { calledPath, callsOf, type CallTargets } from '../../../lib/pipelines/model/calls.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { decodePipeline, type PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { World } from '../../world/world.ts';

/** The pipelines of a version with their calls and tables. */
export type VersionGraph = DrawnGraph & TablesOfProject;

interface FileRow {
  readonly path: string;
  readonly sha256: string;
}

/** Pipelines that are parsed before other requests have their turn. */
const parsedAtOnce = 50;
/** Graphs that are kept: a version never changes, and its pages are opened one after the other. */
const kept = 8;
const graphs = new WeakMap<World, Map<string, VersionGraph>>();

/** Reads the graph of an artifact. `names`: the database and schema for names of tables without them. */
export async function versionGraph(
  world: World,
  artifactId: number,
  names: { readonly kind: WarehouseKind; readonly defaults: EnvironmentDefaults },
): Promise<VersionGraph> {
  const rows = world.store.all<FileRow>(
    'SELECT path, sha256 FROM artifact_file WHERE artifact_id = ? ORDER BY path',
    artifactId,
  );
  const key = createHash('sha256')
    .update(JSON.stringify([names, rows]))
    .digest('hex');
  const cache = graphs.get(world) ?? new Map<string, VersionGraph>();
  graphs.set(world, cache);
  const graph = cache.get(key) ?? (await readGraph(world, rows, names));
  cache.delete(key);
  cache.set(key, graph);
  const [oldest] = cache.keys();
  if (cache.size > kept && oldest !== undefined) cache.delete(oldest);
  return graph;
}

async function readGraph(
  { files }: World,
  rows: readonly FileRow[],
  { kind, defaults }: { readonly kind: WarehouseKind; readonly defaults: EnvironmentDefaults },
): Promise<VersionGraph> {
  const places = new Map(rows.map(({ path, sha256 }) => [path, sha256]));
  const documents = new Map<string, PipelineDocument>();
  for (const [path, sha256] of places) {
    if (kindOf(path) === undefined) continue;
    if (documents.size % parsedAtOnce === parsedAtOnce - 1) await setImmediate();
    documents.set(path, decodePipeline(path, files.read(sha256)));
  }
  const targets: CallTargets = documents;
  const calls = [...documents].flatMap(([from, document]) => {
    const called = callsOf(document).flatMap((call) =>
      call.dynamic || call.target === ''
        ? []
        : [{ to: calledPath(call, targets) ?? call.target, isShared: call.kind === 'shared' }],
    );
    return [...new Map(called.map((each) => [each.to, each])).values()].map((each) => ({ from, ...each }));
  });
  const called = new Set(calls.map(({ to }) => to));
  const own = [...documents.keys()].map((name): DrawnPipeline => ({
    name,
    kind: kindOf(name) ?? 'orchestration',
    entry: !called.has(name),
  }));
  const others = new Map(
    calls.flatMap(({ to, isShared }): readonly (readonly [string, DrawnPipeline])[] =>
      documents.has(to) ? [] : [[to, { name: to, kind: isShared ? 'foreign' : 'missing', entry: false }]],
    ),
  );
  const tables = tablesOfProject({
    documents,
    targets,
    kind,
    defaults,
    files(path) {
      const sha256 = places.get(path);
      return sha256 === undefined ? undefined : files.read(sha256).toString('utf8');
    },
  });
  return {
    nodes: [...own, ...others.values()],
    calls: calls.map(({ from, to }) => ({ from, to })),
    ...tables,
  };
}

/** The part of a graph around a pipeline: what it calls, what calls it, and its tables. */
export function aroundPipeline(graph: VersionGraph, pipeline: string): DrawnGraph {
  const calls = graph.calls.filter(({ from, to }) => from === pipeline || to === pipeline);
  const uses = graph.uses.filter((use) => use.pipeline === pipeline);
  return partOf(graph, { calls, uses, pipelines: [pipeline] });
}

/** The part of a graph around a table: the pipelines that use it. */
export function aroundTable(graph: VersionGraph, table: string): DrawnGraph {
  return partOf(graph, { calls: [], uses: graph.uses.filter((use) => use.table === table), pipelines: [] });
}

function partOf(
  { nodes, tables }: VersionGraph,
  { calls, uses, pipelines }: Pick<DrawnGraph, 'calls' | 'uses'> & { readonly pipelines: readonly string[] },
): DrawnGraph {
  const names = new Set([
    ...pipelines,
    ...calls.flatMap(({ from, to }) => [from, to]),
    ...uses.map(({ pipeline }) => pipeline),
  ]);
  const used = new Set(uses.map(({ table }) => table));
  return {
    nodes: nodes.filter(({ name }) => names.has(name)),
    calls,
    tables: tables.filter(({ name }) => used.has(name)),
    uses,
  };
}
