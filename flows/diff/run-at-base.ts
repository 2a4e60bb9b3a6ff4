import { FileProblems, type Warehouse } from '../../engine/index.ts';
import type { PlannedTest } from '../test/planned-test.ts';
import type { TestSetting } from '../test/run-test.ts';
import type { TestProject } from '../test/test-project.ts';
import type { BaseProject } from './base-project.ts';
import { testAtBase } from './base-test.ts';
import type { TestChange } from './data-diff.ts';
import { describe } from './describe.ts';
import { givenOnly, nothingRan, runOnce, type RunResult } from './run-both.ts';

/** A run with the pipeline of the base. */
export interface BaseRun extends RunResult {
  /** The base does not have the pipeline. */
  readonly isNew: boolean;
  readonly rowsAtBase: TestChange['rowsAtBase'];
}

export interface AtBase {
  readonly warehouse: Warehouse;
  readonly setting: TestSetting;
  readonly project: TestProject;
  readonly base: BaseProject;
  /** Whether the pipeline on disk succeeds on the test's rows. */
  readonly succeedsNow: boolean;
}

/**
 * Runs the pipeline of the base on the rows of a test. Where it cannot run on them but the one on disk can, because a change
 * renamed what it reads, it runs on the rows that the test had at the base. What is wrong there is why the runs cannot be
 * compared.
 */
export async function runAtBase(planned: PlannedTest, at: AtBase): Promise<BaseRun> {
  const { warehouse, setting, project, base, succeedsNow } = at;
  const run = (test: PlannedTest) => attempt(() => runOnce(test, warehouse, setting));
  const tests = await attempt(() => testAtBase(planned, project, base));
  if (tests === undefined) {
    const given = await attempt(() => givenOnly(planned, warehouse, setting));
    return { ...resultOf(given), isNew: true, rowsAtBase: 'same' };
  }
  if (typeof tests === 'string') return { ...resultOf(tests), isNew: false, rowsAtBase: 'same' };
  const shared = resultOf(await run(tests.shared));
  if (!succeedsNow || tests.own === undefined || isSuccess(shared))
    return { ...shared, isNew: false, rowsAtBase: 'same' };
  const own = resultOf(await run(tests.own));
  return isSuccess(own)
    ? { ...own, isNew: false, rowsAtBase: 'own' }
    : { ...shared, isNew: false, rowsAtBase: 'same' };
}

function isSuccess({ end, unknown }: RunResult): boolean {
  return unknown === undefined && end.status === 'success';
}

/** The result, or what is wrong in one line. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    const [first] = error.problems;
    return first === undefined ? error.message : describe(first);
  }
}

function resultOf(result: RunResult | string): RunResult {
  if (typeof result !== 'string') return result;
  return { end: { status: 'failure' }, ...nothingRan, tables: new Map(), unknown: result };
}
