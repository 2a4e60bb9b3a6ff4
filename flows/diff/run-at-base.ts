import { FileProblems, type Warehouse, type WrittenRows } from '../../engine/index.ts';
import { spellingOf } from '../../lib/yaml/yaml-node.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestCase, TestMock } from '../pipeline-tests/files/test-file.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { BaseProject } from './base-project.ts';
import { testAtBase } from './base-test.ts';
import type { TestChange } from './data-diff.ts';
import { describe } from './describe.ts';
import { givenOnly, nothingRan, runOnce, type RunResult } from './run-both.ts';

/** A run of a test with the pipeline of the base. */
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
 * Runs the pipeline of the base on the rows of a test. If it fails because these rows lack a table or column that
 * it names, and the pipeline on disk succeeds, runs it on the rows that the test had at the base, whose values must
 * be the same. A problem at the base is the reason why the runs cannot be compared.
 */
export async function runAtBase(planned: PlannedTest, at: AtBase): Promise<BaseRun> {
  const { warehouse, setting, project, base, succeedsNow } = at;
  const run = (test: PlannedTest) => attempt(() => runOnce(test, warehouse, setting));
  const tests = await attempt(() => testAtBase(planned, project, base));
  if (tests === undefined) {
    const givenRun = await attempt(() => givenOnly(planned, warehouse, setting));
    return { ...resultOf(givenRun), isNew: true, rowsAtBase: 'same' };
  }
  if (typeof tests === 'string') return { ...resultOf(tests), isNew: false, rowsAtBase: 'same' };
  const shared = resultOf(await run(tests.shared));
  const same = { ...shared, isNew: false, rowsAtBase: 'same' } as const;
  const { own: baseTest } = tests;
  if (!succeedsNow || baseTest === undefined || isSuccess(shared) || !lacksName(shared)) return same;
  if (rowValues(baseTest.test) !== rowValues(planned.test)) return same;
  const test = { ...tests.shared.test, given: baseTest.test.given, mocks: baseTest.test.mocks };
  const result = resultOf(await run({ ...tests.shared, file: baseTest.file, test }));
  return isSuccess(result) ? { ...result, isNew: false, rowsAtBase: 'own' } : same;
}

/** Whether a run failed because a table or a column does not exist under its name. */
function lacksName({ end, unknown = '' }: RunResult): boolean {
  return /\b(?:column|table)\b[^]*\bnot found\b|\bhas no column\b/.test(
    unknown === '' ? (end.message ?? '') : unknown,
  );
}

/** The values of all rows of a test without the names of their columns, as one text. */
function rowValues({ given, mocks }: TestCase): string {
  const valuesIn = ({ rows }: WrittenRows) =>
    rows.map(({ cells }) => Array.from(cells.keys(), (column) => spellingOf(cells.get(column))));
  const ofMock = ({ tables, rows, output }: TestMock) =>
    [...tables.map(({ content }) => content), rows, output?.content].flatMap((content) =>
      content === undefined ? [] : [valuesIn(content)],
    );
  return JSON.stringify([given.map(({ content }) => valuesIn(content)), mocks.map(ofMock)]);
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
