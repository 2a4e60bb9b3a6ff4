import type { BoundPipeline, KnownTable, TableName, TableRead } from '../../engine/index.ts';
import type { DataGraph } from '../data-graph/bind/bind-project.ts';
import { tableKey } from '../data-graph/bind/table-definitions.ts';
import { callTargetsOf } from '../pipeline-tests/files/project-roots.ts';
import { calledPath, callsOf } from '../../lib/pipelines/model/calls.ts';

/** The data graph of one side, with the pipelines that run on it. */
export interface SideGraph {
  readonly graph: DataGraph;
  /** Paths of pipelines, with all that they call. */
  readonly paths: ReadonlySet<string>;
}

/** A component that reads a table. */
export interface Read extends TableRead {
  readonly pipeline: string;
}

/** The pipelines that run if these pipelines run, including called ones. */
export function withCalled(graph: DataGraph, paths: Iterable<string>): ReadonlySet<string> {
  const { project, pipelines } = graph;
  const targets = callTargetsOf(project);
  const all = new Set(paths);
  // The loop also visits what it adds.
  for (const path of all) {
    const document = pipelines.has(path) ? project.pipeline(path) : undefined;
    for (const call of document === undefined ? [] : callsOf(document)) {
      const called = calledPath(call, targets);
      if (called !== undefined) all.add(called);
    }
  }
  return all;
}

/** The tables that pipelines read and write. */
export function boundOf({
  graph,
  paths,
}: SideGraph): readonly (BoundPipeline & { readonly pipeline: string })[] {
  return [...paths].flatMap((pipeline) => {
    const bound = graph.pipelines.get(pipeline);
    return bound === undefined ? [] : [{ ...bound, pipeline }];
  });
}

/** The components that read a table with this name. */
export function readsOf(table: TableName, side: SideGraph): readonly Read[] {
  const key = tableKey(side.graph.names.canonical(table));
  return boundOf(side).flatMap(({ pipeline, reads }) =>
    reads.filter((read) => tableKey(read.table) === key).map((read) => ({ ...read, pipeline })),
  );
}

/** The known columns of a table. */
export function knownColumns(table: TableName, { graph }: Pick<SideGraph, 'graph'>): KnownTable | undefined {
  return graph.tables.find(graph.names.canonical(table));
}

/** The tables that pipelines of a project use, without duplicates. */
export function usedTables({ pipelines }: DataGraph): readonly TableName[] {
  const uses = [...pipelines.values()].flatMap(({ reads, writes }) => [...reads, ...writes]);
  return [...new Map(uses.map(({ table }) => [tableKey(table), table])).values()];
}

/**
 * The table that the name of a file means: the table with this name, or the only used table whose name differs only
 * in case.
 */
export function meantTable(table: TableName, graphs: readonly DataGraph[]): TableName {
  const used = graphs.flatMap(usedTables);
  const isSame = (a: TableName, b: TableName, fold: (text: string) => string) =>
    fold(a.table) === fold(b.table) &&
    fold(a.schema) === fold(b.schema) &&
    fold(a.database) === fold(b.database);
  if (used.some((other) => isSame(other, table, (text) => text))) return table;
  const alike = new Map(
    used
      .filter((other) => isSame(other, table, (text) => text.toLowerCase()))
      .map((other) => [tableKey(other), other] as const),
  );
  const [only = table, ...others] = alike.values();
  return others.length === 0 ? only : table;
}
