import { childOf, itemsOf, textOf } from '../../yaml/yaml-node.ts';
import { type Call, calledPath, callsOf, type CallTargets } from './calls.ts';
import type { PipelineDocument } from './read-pipeline.ts';

/** For each pipeline, the names of the variables that calls in the project set. */
export function variablesOfCalls(
  documents: Iterable<PipelineDocument>,
  targets: CallTargets,
): (path: string) => ReadonlySet<string> {
  const variables = new Map<string, Set<string>>();
  // A call whose target a variable names may lead to any pipeline.
  const ofAny = new Set<string>();
  for (const document of documents)
    for (const call of callsOf(document)) {
      const called = calledPath(call, targets);
      if (called === undefined && !call.dynamic) continue;
      const names = called === undefined ? ofAny : (variables.get(called) ?? new Set());
      if (called !== undefined) variables.set(called, names);
      for (const name of setBy(call)) names.add(name);
    }
  return (path) => ofAny.union(variables.get(path) ?? new Set());
}

function setBy({ scalarVariables, component }: Call): readonly string[] {
  const grids = itemsOf(component.parameter('setGridVariables')).map(
    (item) => textOf(childOf(item, 'variable')) ?? '',
  );
  return [...scalarVariables.map(([name]) => name), ...grids];
}
