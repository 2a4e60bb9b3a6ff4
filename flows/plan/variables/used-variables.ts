import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { usesVariable } from '../../../lib/pipelines/model/uses-variable.ts';
import { readText } from '../../data-graph/texts/read-text.ts';
import { scriptFacts } from '../../../lib/pipelines/checks/missing-file.ts';

/** Tells whether one of some pipelines, or a script that it runs, uses a variable. */
export function variableUse(
  project: TestProject,
  pipelines: readonly string[],
): (variable: string) => boolean {
  const paths = pipelines.filter((path) => project.has(path));
  const scripts = new Set(paths.flatMap((path) => scriptsOf(path, project)));
  const texts = [...scripts].map((path) => readText(path, project) ?? '');
  return (variable) =>
    paths.some((path) => project.uses(path, variable)) || texts.some((text) => usesVariable(text, variable));
}

function scriptsOf(path: string, project: TestProject): readonly string[] {
  const document = project.pipeline(path);
  return document === undefined ? [] : scriptFacts(document).flatMap(({ path: script }) => script ?? []);
}
