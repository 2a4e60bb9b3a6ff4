import { variablesOfCalls } from '../../../lib/pipelines/model/variables-of-calls.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';
import { wordsOf } from '../texts/mentioned-tables.ts';
import { unreadableTexts } from '../texts/unreadable-pipelines.ts';

/** For each pipeline, the names of the variables that its callers in the project set or may set. */
export function variablesSetByCallers(
  paths: readonly string[],
  project: TestProject,
): (path: string) => ReadonlySet<string> {
  const targets = callTargetsOf(project);
  const documents = paths.flatMap((path) => project.pipeline(path) ?? []);
  const ofCalls = variablesOfCalls(documents, targets);
  // A pipeline that cannot be read may call any other one, and set the variables that its text names.
  const words = new Set(unreadableTexts(project).flatMap(wordsOf));
  if (words.size === 0) return ofCalls;
  return (path) => {
    const declared = [...(project.pipeline(path)?.variables.keys() ?? [])];
    return ofCalls(path).union(new Set(declared.filter((name) => words.has(name.toLowerCase()))));
  };
}
