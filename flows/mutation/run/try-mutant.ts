import { FileProblems, type Warehouse } from '../../../engine/index.ts';
import { type PlannedTest, planTests } from '../../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { TestResult } from '../../pipeline-tests/compare/test-result.ts';
import type { TestFile } from '../../pipeline-tests/files/test-file.ts';
import { runTest, type TestSetting } from '../../pipeline-tests/run/run-test.ts';
import type { Fault } from '../faults/fault.ts';
import { mutantProject } from './mutants.ts';
import type { Reach, ReachingTest } from './reach.ts';

/** How the first test fails that notices a change. */
export interface Notice {
  /** The test file. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** `result`: an expectation about what the pipeline computes is false. `failure`: the pipeline fails, or takes too long. */
  readonly by: 'result' | 'failure';
}

/** What the tests say about a change. */
export type Trial =
  | { readonly verdict: 'noticed'; readonly noticedBy: Notice }
  | { readonly verdict: 'not-noticed' }
  | { readonly verdict: 'refused'; readonly message: string };

/**
 * Runs the tests that reach a change, one after the other, until one fails. A test that the engine refuses says nothing: then the change is
 * refused, unless another test fails. Throws the reason of a cancel.
 */
export async function tryMutant(
  fault: Fault,
  tests: readonly ReachingTest[],
  {
    warehouse,
    project,
    setting,
    reach,
  }: {
    readonly warehouse: Warehouse;
    readonly project: TestProject;
    readonly setting: TestSetting;
    readonly reach: Pick<Reach, 'declared'>;
  },
): Promise<Trial> {
  const changed = mutantProject(fault, project);
  const replanned = new Map<TestFile, readonly PlannedTest[] | FileProblems>();
  const planOf = ({ file, test }: PlannedTest): PlannedTest | FileProblems => {
    const known = replanned.get(file) ?? problemsOr(() => planTests(file, changed));
    replanned.set(file, known);
    if (known instanceof FileProblems) return known;
    const planned = known.find((other) => other.test === test);
    if (planned === undefined) throw new Error('a test is not planned again');
    return planned;
  };
  let refusal: string | undefined;
  for (const { planned } of tests) {
    setting.signal.throwIfAborted();
    const again = planOf(planned);
    const result =
      again instanceof FileProblems
        ? again
        : await problemsOrLater(() =>
            runTest(again, warehouse, { ...setting, project: changed, declared: reach.declared }),
          );
    const isFailed = result instanceof FileProblems || result.status === 'failed';
    if (isFailed) return { verdict: 'noticed', noticedBy: noticeOf(planned, result) };
    if (result.status === 'refused') refusal ??= result.differences[0]?.message ?? '';
  }
  return refusal === undefined ? { verdict: 'not-noticed' } : { verdict: 'refused', message: refusal };
}

function noticeOf({ file, test }: PlannedTest, result: TestResult | FileProblems): Notice {
  const { line } = test.place;
  const isFailure =
    result instanceof FileProblems ||
    result.differences.some(({ kind }) => kind === 'outcome' || kind === 'timeout');
  return { file: file.file, line, name: test.name, by: isFailure ? 'failure' : 'result' };
}

function problemsOr<Result>(work: () => Result): Result | FileProblems {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileProblems) return error;
    throw error;
  }
}

async function problemsOrLater<Result>(work: () => Promise<Result>): Promise<Result | FileProblems> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileProblems) return error;
    throw error;
  }
}
