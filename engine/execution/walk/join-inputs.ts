import { type ComponentGraph, reachable } from '../../../lib/pipelines/model/graph.ts';

/**
 * For each component, the components with a transition to it that are reachable from a start. An unreachable
 * component is not waited for.
 */
export function joinInputs(
  graph: ComponentGraph,
  starts: readonly string[],
): (name: string) => ReadonlySet<string> {
  const next = (name: string) =>
    graph
      .from(name)
      .filter(({ by }) => by !== 'iteration')
      .map(({ to }) => to);
  const live = reachable(starts, next);
  return (name) =>
    new Set(
      graph
        .to(name)
        .filter(({ by, from }) => by !== 'iteration' && live.has(from))
        .map(({ from }) => from),
    );
}
