import { Failure } from '../../lib/core/errors/failure.ts';
import { hintAt } from '../../lib/core/text/look-alike.ts';
import { closestPipeline } from '../../lib/pipelines/model/closest-pipeline.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineGraph } from './pipeline-graph.ts';
import type { TableGraph } from './table-graph.ts';

/**
 * The part of a graph around one pipeline: its direct and indirect callers, and all pipelines that it calls
 * directly or indirectly. The name's suffix is optional. Throws Failure 'not-found'.
 */
export function graphAround({ nodes, calls, ...rest }: PipelineGraph, name: string): PipelineGraph {
  const center = nodes.filter((node) => node.name === name || withoutSuffix(node.name) === name);
  if (center.length === 0) {
    const meant = closestPipeline(
      name,
      nodes.map((node) => node.name),
    );
    throw new Failure('not-found', {
      message: `The project has no pipeline "${name}".${hintAt(name, meant)}`,
      where: { input: '--around' },
      hint: 'Give --around the path of a pipeline in the project, such as daily/load, or, without --calls-only, a table that a pipeline names.',
    });
  }
  const names = new Set(center.map((node) => node.name));
  const callers = reached(names, calls);
  const called = reached(
    names,
    calls.map(({ from, to }) => ({ from: to, to: from })),
  );
  return {
    ...rest,
    nodes: nodes.filter((node) => callers.has(node.name) || called.has(node.name)),
    calls: calls.filter(
      ({ from, to }) => (callers.has(from) && callers.has(to)) || (called.has(from) && called.has(to)),
    ),
  };
}

/** All nodes from which a call path leads to `start`. */
function reached(start: ReadonlySet<string>, calls: PipelineGraph['calls']): ReadonlySet<string> {
  const callersOf = Map.groupBy(calls, ({ to }) => to);
  const names = new Set(start);
  // The loop also visits the names that it adds to the set.
  for (const name of names) for (const { from } of callersOf.get(name) ?? []) names.add(from);
  return names;
}

/**
 * The part of a graph with tables around one pipeline, with the tables that the pipelines use. If the name is not a
 * pipeline's, it may be the name of a table, in any case; the part is then the table and all pipelines that use it.
 * Throws Failure 'not-found'.
 */
export function tablesAround(graph: TableGraph, name: string): TableGraph {
  const isPipeline = graph.nodes.some((node) => node.name === name || withoutSuffix(node.name) === name);
  const tables = isPipeline ? [] : tablesNamed(graph, name);
  if (tables.length > 0) return usersOf(graph, new Set(tables));
  const part = graphAround(graph, name);
  const pipelines = new Set(part.nodes.map((node) => node.name));
  const uses = graph.uses.filter(({ pipeline }) => pipelines.has(pipeline));
  const used = new Set(uses.map(({ table }) => table));
  return { ...part, ...withTables(graph, { pipelines, used }), uses };
}

/** By the whole name, by the name with or without its schema. */
function tablesNamed({ tables }: TableGraph, name: string): readonly string[] {
  const asked = name.toLowerCase();
  return tables
    .filter(({ name: whole, table, schema }) =>
      [whole, table, `${schema}.${table}`].some((each) => each.toLowerCase() === asked),
    )
    .map((table) => table.name);
}

function usersOf(graph: TableGraph, used: ReadonlySet<string>): TableGraph {
  const uses = graph.uses.filter(({ table }) => used.has(table));
  const pipelines = new Set(uses.map(({ pipeline }) => pipeline));
  return {
    nodes: graph.nodes.filter((node) => pipelines.has(node.name)),
    calls: graph.calls.filter(({ from, to }) => pipelines.has(from) && pipelines.has(to)),
    ...withTables(graph, { pipelines, used }),
    uses,
  };
}

function withTables(
  graph: TableGraph,
  { pipelines, used }: { readonly pipelines: ReadonlySet<string>; readonly used: ReadonlySet<string> },
): Pick<TableGraph, 'tables' | 'unknown'> {
  return {
    tables: graph.tables.filter((table) => used.has(table.name)),
    unknown: graph.unknown.filter(({ pipeline }) => pipelines.has(pipeline)),
  };
}
