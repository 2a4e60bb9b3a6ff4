import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { type FileProblem, FileProblems } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { isTestFile } from './find-tests.ts';

/** Runs `read`, and adds the problems that it throws to a list. Returns undefined if it threw. */
export async function collectProblems<Result>(
  problems: FileProblem[],
  read: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The problems without duplicates, in the order of the files. */
export function sortedProblems(fileProblems: readonly FileProblem[]): readonly FileProblem[] {
  const problems = fileProblems.map((problem) => ({ ...problem, message: oneLine(problem.message) }));
  // Tests that share a pipeline or a fixture find the same problem.
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()].toSorted(
    (a, b) => compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column,
  );
}

/** The failure that lists all problems, at the place of the first. */
export function testFailure(fileProblems: readonly FileProblem[]): Failure {
  const problems = sortedProblems(fileProblems);
  const [first] = problems;
  const lines = problems.map(
    (problem) => `\n  ${problem.file}:${problem.line}:${problem.column} ${problem.message}`,
  );
  const message =
    problems.length === 1
      ? `${first?.message ?? ''}.`.replace(/([?.!])\.$/u, '$1')
      : `${problems.length} problems:${lines.join('')}`;
  const { file = '', line = 1, column = 1 } = first ?? {};
  const where = { file, line, column };
  // The page about test files says nothing about pipelines and fixtures.
  const hint = problems.some((problem) => isTestFile(problem.file))
    ? {}
    : { hint: 'Fix the line that the message names.' };
  return new Failure('test-invalid', { message, where, details: { problems }, ...hint });
}
