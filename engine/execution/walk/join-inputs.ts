import { type ComponentGraph, reachable } from '../../../lib/pipelines/model/graph.ts';

/**
 * Returns a function that lists the components with a transition to a given component. Components that cannot be
 * reached from a start component are left out, because an `and` must not wait for them.
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
