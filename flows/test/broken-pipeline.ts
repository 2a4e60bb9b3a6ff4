import { type FailedComponent, type FileProblem, FileProblems } from '../../engine/index.ts';
import { danglingReferences } from '../../lib/pipelines/checks/dangling-reference.ts';
import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import type { TestProject } from './test-project.ts';

/** Throws FileProblems for a pipeline that cannot be read, or whose transitions name components that it does not have. */
export function refuseBroken(document: PipelineDocument): void {
  const problems = brokenParts(document);
  if (problems.length > 0) throw new FileProblems(problems);
}

/** Throws FileProblems for called pipelines that could not run, also where a branch of the pipeline handled that. */
export function refuseBrokenCalls(failures: readonly FailedComponent[], project: TestProject): void {
  const called = failures.map(
    ({ message }) => /Pipeline "([^"]+)" cannot (?:be read|run): /.exec(message)?.[1],
  );
  const problems = [...new Set(called)].flatMap((path) => {
    const document = path === undefined ? undefined : project.pipeline(path);
    return document === undefined ? [] : brokenParts(document);
  });
  if (problems.length > 0) throw new FileProblems(problems);
}

function brokenParts(document: PipelineDocument): readonly FileProblem[] {
  if (document.problems.length > 0) return document.problems;
  return danglingReferences(document).map(({ file, range: { line, column }, message }) => {
    return { file, line, column, message };
  });
}
