import { type FileProblem, FileProblems, problemAt } from '../../../engine/index.ts';
import { firstBreaches } from '../../../lib/pipelines/checks/breach.ts';
import { danglingReferences } from '../../../lib/pipelines/checks/dangling-reference.ts';
import { unknownKeys } from '../../../lib/pipelines/checks/unknown-key.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { TestProject } from './test-project.ts';

/**
 * Throws FileProblems for a pipeline that cannot be read, that has no components, or whose transitions name components that
 * it does not have.
 */
export function refuseBroken(document: PipelineDocument): void {
  const problems = brokenParts(document);
  if (problems.length > 0) throw new FileProblems(problems);
  if (document.components.size > 0) return;
  const { line, column } = document.range;
  throw problemAt({ file: document.path, line, column }, 'the pipeline has no components');
}

/**
 * Throws FileProblems for called pipelines that could not run, also if a branch of the pipeline handled that, and for
 * those that ran without what a wrong key was meant to do.
 */
export function refuseBrokenCalls(called: readonly string[], project: TestProject): void {
  const problems = called.flatMap((path) => {
    const document = project.pipeline(path);
    return document === undefined ? [] : brokenParts(document);
  });
  if (problems.length > 0) throw new FileProblems(problems);
}

function brokenParts(document: PipelineDocument): readonly FileProblem[] {
  if (document.problems.length > 0) return document.problems;
  const breaches = [...firstBreaches(unknownKeys(document)), ...firstBreaches(danglingReferences(document))];
  return breaches.map(({ file, range: { line, column }, message }) => ({ file, line, column, message }));
}
