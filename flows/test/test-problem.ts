import { Failure } from '../../lib/core/failure.ts';
import { oneLine } from '../../lib/core/sanitize-text.ts';

/** Something wrong in a test file, or in a file that it names. Lines and columns count from 1. */
export interface TestProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Problems of test files: none of their tests has a result. */
export class TestProblems extends Error {
  override readonly name = 'TestProblems';
  readonly problems: readonly TestProblem[];

  constructor(problems: readonly TestProblem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.problems = problems;
  }
}

export function problemAt(place: Omit<TestProblem, 'message'>, message: string): TestProblems {
  const { file, line, column } = place;
  return new TestProblems([{ file, line, column, message }]);
}

/** Runs `read` and adds the problems that it throws to a list; undefined if it threw some. */
export function collectProblems<Result>(problems: TestProblem[], read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TestProblems)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The failure that lists all problems, at the place of the first. */
export function testFailure(found: readonly TestProblem[]): Failure {
  const problems = found
    .map((problem) => ({ ...problem, message: oneLine(problem.message) }))
    .toSorted((a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column);
  const [first] = problems;
  const lines = problems.map((one) => `\n  ${one.file}:${one.line}:${one.column} ${one.message}`);
  const message =
    problems.length === 1
      ? `${first?.message ?? ''}.`.replace(/([?.!])\.$/u, '$1')
      : `${problems.length} problems:${lines.join('')}`;
  const { file = '', line = 1, column = 1 } = first ?? {};
  return new Failure('test-invalid', { message, where: { file, line, column }, details: { problems } });
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
