import { Failure } from '../../lib/core/failure.ts';
import { withoutSuffix } from '../../lib/pipelines/pipeline-kind.ts';
import type { PipelineGraph } from './pipeline-graph.ts';

/**
 * The part of a graph that concerns one pipeline: all that call it, directly or by others, and all that it calls so.
 * The name may lack its suffix. Throws Failure 'not-found'.
 */
export function graphAround({ nodes, calls }: PipelineGraph, name: string): PipelineGraph {
  const middle = nodes.filter((node) => node.name === name || withoutSuffix(node.name) === name);
  if (middle.length === 0) {
    throw new Failure('not-found', {
      message: `There is no pipeline "${name}".`,
      where: { input: '--around' },
      hint: 'Give its path in the project, such as daily/load.',
    });
  }
  const names = new Set(middle.map((node) => node.name));
  const callers = reached(names, calls);
  const called = reached(
    names,
    calls.map(({ from, to }) => ({ from: to, to: from })),
  );
  return {
    nodes: nodes.filter((node) => callers.has(node.name) || called.has(node.name)),
    calls: calls.filter(
      ({ from, to }) => (callers.has(from) && callers.has(to)) || (called.has(from) && called.has(to)),
    ),
  };
}

/** Where one comes to against the direction of the calls. */
function reached(start: ReadonlySet<string>, calls: PipelineGraph['calls']): ReadonlySet<string> {
  const callersOf = Map.groupBy(calls, ({ to }) => to);
  const found = new Set(start);
  // A set goes on through what is added to it meanwhile.
  for (const name of found) for (const { from } of callersOf.get(name) ?? []) found.add(from);
  return found;
}
