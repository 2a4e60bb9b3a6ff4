import { type Call, calledPath, callsOf } from '../../../lib/pipelines/model/calls.ts';
import { childOf, itemsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { wordsOf } from '../texts/mentioned-tables.ts';
import { unreadableTexts } from '../texts/unreadable-pipelines.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

/** For each pipeline, the names of the variables that calls in the project set. */
export function variablesOfCalls(
  paths: readonly string[],
  project: TestProject,
): (path: string) => ReadonlySet<string> {
  const variables = new Map<string, Set<string>>();
  // A call whose target a variable names may lead to any pipeline.
  const ofAny = new Set<string>();
  const targets = callTargetsOf(project);
  for (const path of paths) {
    const document = project.pipeline(path);
    for (const call of document === undefined ? [] : callsOf(document)) {
      const called = calledPath(call, targets);
      if (called === undefined && !call.dynamic) continue;
      const names = called === undefined ? ofAny : (variables.get(called) ?? new Set());
      if (called !== undefined) variables.set(called, names);
      for (const name of setBy(call)) names.add(name);
    }
  }
  addUnreadable(variables, paths, project);
  return (path) => ofAny.union(variables.get(path) ?? new Set());
}

/** A pipeline that cannot be read may call any other one, and set the variables that its text names. */
function addUnreadable(
  variables: Map<string, Set<string>>,
  paths: readonly string[],
  project: TestProject,
): void {
  const words = new Set(unreadableTexts(project).flatMap(wordsOf));
  for (const path of words.size === 0 ? [] : paths)
    for (const name of project.pipeline(path)?.variables.keys() ?? [])
      if (words.has(name.toLowerCase())) variables.set(path, (variables.get(path) ?? new Set()).add(name));
}

function setBy({ scalarVariables, component }: Call): readonly string[] {
  const grids = itemsOf(component.parameter('setGridVariables')).map(
    (item) => textOf(childOf(item, 'variable')) ?? '',
  );
  return [...scalarVariables.map(([name]) => name), ...grids];
}
