import { type FileProblem, FileProblems } from '../../../engine/index.ts';
import type { CallFolder, FoundRoot } from '../../../lib/pipelines/model/call-root.ts';
import type { TestResult } from '../compare/test-result.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { sortedProblems } from '../files/test-problem.ts';
import { type Coverage, coverageOf, type CoverageParts } from './coverage.ts';

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly refused: number;
  readonly tests: readonly TestResult[];
  /** What is wrong in test files, fixtures and pipelines, in the order of the files: their tests are not in `tests`. */
  readonly problems?: readonly FileProblem[];
  readonly coverage?: Coverage;
  /** The folder from which calls were resolved, if it is not the project's own and a call needed it. */
  readonly callRoot?: CallFolder | FoundRoot;
}

/** Test files and the results of their tests. A report is made from this, or from the blobs of all shards. */
export interface TestParts {
  /** All planned tests, in the order of the files. */
  readonly planned: readonly PlannedTest[];
  /** Of the tests that ran: a result, or what is wrong in the files of the test. */
  readonly results: ReadonlyMap<PlannedTest, EndedTest>;
  /** What is wrong in files whose tests could not be planned. */
  readonly problems: readonly FileProblem[];
  /** Undefined without coverage. */
  readonly coverage: CoverageParts | undefined;
  readonly callRoot: TestReport['callRoot'];
}

export type EndedTest = TestResult | FileProblems;

/** The report of the tests that ran. */
export function reportOfParts({ planned, results, problems, coverage, callRoot }: TestParts): TestReport {
  const ended = planned.flatMap((test) => results.get(test) ?? []);
  return reportOfEnded(ended, { problems, coverage, callRoot });
}

/** The report of ended tests, in their order, with the errors of files whose tests did not run. */
export function reportOfEnded(
  ended: readonly EndedTest[],
  { problems, coverage, callRoot }: Pick<TestParts, 'problems' | 'coverage' | 'callRoot'>,
): TestReport {
  const tests = ended.flatMap((test) => (test instanceof FileProblems ? [] : [test]));
  const all = [...problems, ...ended.flatMap((test) => (test instanceof FileProblems ? test.problems : []))];
  const report = {
    ...reportOf(tests, coverage && coverageOf(coverage)),
    ...(callRoot === undefined ? {} : { callRoot }),
  };
  return all.length === 0 ? report : { ...report, problems: sortedProblems(all) };
}

/** The report of tests that ran. */
export function reportOf(tests: readonly TestResult[], coverage?: Coverage): TestReport {
  const count = (status: TestResult['status']) => tests.filter((test) => test.status === status).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    refused: count('refused'),
    tests,
    ...(coverage === undefined ? {} : { coverage }),
  };
}
