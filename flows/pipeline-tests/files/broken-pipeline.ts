import { type FileProblem, FileProblems } from '../../../engine/index.ts';
import { firstBreaches } from '../../../lib/pipelines/checks/breach.ts';
import { danglingReferences } from '../../../lib/pipelines/checks/dangling-reference.ts';
import { unknownKeys } from '../../../lib/pipelines/checks/unknown-key.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { startsOf } from '../../../lib/pipelines/model/start-components.ts';
import type { TestProject } from './test-project.ts';

/**
 * Throws FileProblems for a pipeline that cannot be read, that has no components, or whose transitions name missing
 * components.
 */
export function refuseBroken(document: PipelineDocument): void {
  const problems = problemsOf(document);
  if (problems.length > 0) throw new FileProblems(problems);
}

/** The reasons why a readable pipeline does not start, or would run without a part that its author intended. */
export function startProblems(document: PipelineDocument): readonly FileProblem[] {
  const known = startProblemsOf.get(document) ?? findStartProblems(document);
  startProblemsOf.set(document, known);
  return known;
}

/** A language server asks for all pipelines at every edit, and reads only the edited ones again. */
const startProblemsOf = new WeakMap<PipelineDocument, readonly FileProblem[]>();

function findStartProblems(document: PipelineDocument): readonly FileProblem[] {
  if (document.problems.length > 0) return [];
  const problems = problemsOf(document);
  if (problems.length > 0 || document.kind !== 'orchestration' || startsOf(document).length > 0)
    return problems;
  return [problemOf(document, 'the pipeline has no start component: add a component of the type start')];
}

function problemsOf(document: PipelineDocument): readonly FileProblem[] {
  const problems = brokenParts(document);
  if (problems.length > 0 || document.components.size > 0) return problems;
  return [problemOf(document, 'the pipeline has no components')];
}

function problemOf({ path, range: { line, column } }: PipelineDocument, message: string): FileProblem {
  return { file: path, line, column, message };
}

/**
 * Throws FileProblems for called pipelines that could not run, even if a branch of the caller handled the failure,
 * and for those that ran without the effect of a misspelled key.
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
