import type { FileProblem } from '../../../engine/index.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { noTest, type TestRequest } from './run-tests.ts';
import { planFile } from './plan-file.ts';
import { collectProblems, sortedProblems } from '../files/test-problem.ts';

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

type ListRequest = Pick<TestRequest, 'project' | 'files' | 'filter' | 'packages'>;

/** The tests that `runTests` would run, in the same order. Throws Failure 'no-test' and 'engine-missing' as it does. */
export async function listTests({ project, files, filter, packages }: ListRequest): Promise<TestList> {
  const problems: FileProblem[] = [];
  const tests: ListedTest[] = [];
  for (const path of files) {
    const planned = await collectProblems(problems, () => planFile(path, project, { filter, packages }));
    for (const { test, document } of planned ?? [])
      tests.push({ file: path, line: test.place.line, name: test.name, pipeline: document.path });
  }
  if (tests.length + problems.length === 0) throw noTest({ files, filter });
  return problems.length === 0 ? { tests } : { tests, problems: sortedProblems(problems) };
}

/** The list for a terminal: place, name and pipeline of each test. */
export function listLines({ tests }: TestList): readonly string[] {
  return [
    ...tests.map(
      ({ file, line, name, pipeline }) =>
        `${oneLine(file)}:${line}  ${oneLine(name)}  (${oneLine(pipeline)})`,
    ),
    `${numberOf(tests.length, 'test')}.`,
  ];
}
