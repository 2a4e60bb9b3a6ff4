import type { FileProblem } from '../../../engine/index.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { planFiles, type TestRequest } from './run-tests.ts';
import { sortedProblems } from '../files/test-problem.ts';

/** A test that would run. */
interface ListedTest {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The path of the pipeline's file. */
  readonly pipeline: string;
}

export interface TestList {
  readonly tests: readonly ListedTest[];
  /** What is wrong in test files, fixtures and pipelines: their tests are not in `tests`. */
  readonly problems?: readonly FileProblem[];
}

type ListRequest = Pick<TestRequest, 'project' | 'files' | 'filter' | 'packages' | 'select'>;

/** The tests that `runTests` would run, in the same order. Throws Failure 'no-test' and 'engine-missing' as it does. */
export async function listTests(request: ListRequest): Promise<TestList> {
  const { planned, problems } = await planFiles(request);
  const tests = (request.select?.(planned) ?? planned).map(({ file, test, document }) => ({
    file: file.file,
    line: test.place.line,
    name: test.name,
    pipeline: document.path,
  }));
  return problems.length === 0 ? { tests } : { tests, problems: sortedProblems(problems) };
}

/** The list of tests for a terminal: place, name and pipeline of each. */
export function listLines({ tests }: TestList): readonly string[] {
  return [
    ...tests.map(
      ({ file, line, name, pipeline }) =>
        `${oneLine(file)}:${line}  ${oneLine(name)}  (${oneLine(pipeline)})`,
    ),
    `${numberOf(tests.length, 'test')}.`,
  ];
}
