import { FileProblems, type Warehouse } from '../../../engine/index.ts';
import type { TestResult } from '../compare/test-result.ts';
import { overlayProject } from '../files/overlay-project.ts';
import { type PlannedTest, planTests } from '../files/planned-test.ts';
import type { TestFile } from '../files/test-file.ts';
import { runTest, type TestSetting } from './run-test.ts';

/** The content of changed files, by path. */
export type ChangedTexts = ReadonlyMap<string, string>;

/** How tests end on a project with changed files, as JSON data. */
export type TrialEnd =
  | { readonly verdict: 'passed' }
  /** `test` is the index of the test that failed. `failure`: the pipeline failed, took too long or could not be read. */
  | { readonly verdict: 'failed'; readonly test: number; readonly by: 'result' | 'failure' }
  /** The engine refused a test, and no test failed. */
  | { readonly verdict: 'refused'; readonly message: string };

/**
 * Runs tests on their project with changed files, one after another, until one fails. The changes must not declare
 * other columns of tables. Throws the reason of a cancel.
 * @param setting of the project without the changes
 */
export async function runUntilFailed(
  tests: readonly PlannedTest[],
  changed: ChangedTexts,
  { warehouse, setting }: { readonly warehouse: Warehouse; readonly setting: TestSetting },
): Promise<TrialEnd> {
  const contents = new Map([...changed].map(([file, text]) => [file, Buffer.from(text)] as const));
  const project = overlayProject(setting.project, { contents });
  const replanned = new Map<TestFile, readonly PlannedTest[]>();
  const planOf = ({ file, test }: PlannedTest): PlannedTest => {
    const known = replanned.get(file) ?? planTests(file, project);
    replanned.set(file, known);
    const planned = known.find((other) => other.test === test);
    if (planned === undefined) throw new Error('a test is not planned again');
    return planned;
  };
  let refusal: string | undefined;
  for (const [index, planned] of tests.entries()) {
    setting.signal.throwIfAborted();
    const result = await problemsOr(async () => runTest(planOf(planned), warehouse, { ...setting, project }));
    if (result instanceof FileProblems) return { verdict: 'failed', test: index, by: 'failure' };
    if (result.status === 'failed') return { verdict: 'failed', test: index, by: reasonOf(result) };
    if (result.status === 'refused') refusal ??= result.differences[0]?.message ?? '';
  }
  return refusal === undefined ? { verdict: 'passed' } : { verdict: 'refused', message: refusal };
}

function reasonOf({ differences }: TestResult): 'result' | 'failure' {
  return differences.some(({ kind }) => kind === 'outcome' || kind === 'timeout') ? 'failure' : 'result';
}

async function problemsOr<Result>(work: () => Promise<Result>): Promise<Result | FileProblems> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileProblems) return error;
    throw error;
  }
}
