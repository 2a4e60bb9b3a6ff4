import type { TransitionKind } from './component.ts';
import type { PipelineDocument } from './read-pipeline.ts';

/** One edge between components: a transition, an iterator's target, or a data flow. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly by: TransitionKind | 'iteration' | 'data';
}

/** The components of one file and the edges between them, in both directions. */
export interface ComponentGraph {
  readonly names: readonly string[];
  readonly edges: readonly Edge[];
  /** Edges to names without a component; the other members ignore them. */
  readonly dangling: readonly Edge[];
  /** Edges that leave a component, in the order of the file. */
  from(name: string): readonly Edge[];
  /** Edges that end in a component. */
  to(name: string): readonly Edge[];
}

/**
 * Builds the graph: edges of orchestrations are transitions and iteration targets, edges of transformations are
 * sources.
 */
export function componentGraph(document: PipelineDocument): ComponentGraph {
  const edges: Edge[] = [];
  const dangling: Edge[] = [];
  const outgoing = new Map<string, Edge[]>();
  const incoming = new Map<string, Edge[]>();
  for (const edge of statedEdges(document)) {
    if (!document.components.has(edge.from) || !document.components.has(edge.to)) dangling.push(edge);
    else {
      edges.push(edge);
      add(outgoing, edge.from, edge);
      add(incoming, edge.to, edge);
    }
  }
  return {
    names: [...document.components.keys()],
    edges,
    dangling,
    from: (name) => outgoing.get(name) ?? [],
    to: (name) => incoming.get(name) ?? [],
  };
}

/** Every component that is reachable from `roots` over the edges that `follow` accepts, including the roots. */
export function reachable(
  roots: Iterable<string>,
  next: (name: string) => Iterable<string>,
): ReadonlySet<string> {
  const seen = new Set(roots);
  // A set also iterates over values that are added during the iteration.
  for (const name of seen) for (const other of next(name)) seen.add(other);
  return seen;
}

function* statedEdges(document: PipelineDocument): Generator<Edge> {
  for (const component of document.components.values()) {
    const { name } = component;
    if (document.kind === 'transformation') {
      for (const source of component.sources) yield { from: source, to: name, by: 'data' };
      continue;
    }
    for (const { on, to } of component.transitions) yield { from: name, to, by: on };
    if (component.iterationTarget !== undefined) {
      yield { from: name, to: component.iterationTarget, by: 'iteration' };
    }
  }
}

function add(map: Map<string, Edge[]>, name: string, edge: Edge): void {
  const edges = map.get(name);
  if (edges === undefined) map.set(name, [edge]);
  else edges.push(edge);
}
