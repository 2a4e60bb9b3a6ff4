import { FileProblems, type Warehouse } from '../../engine/index.ts';
import { scriptFacts } from '../../lib/pipelines/checks/missing-file.ts';
import type { BaseProject } from '../diff/base-project.ts';
import { testAtBase } from '../diff/base-test.ts';
import { compareTables } from '../diff/compare-tables.ts';
import type { DataDiff, RowsForChange } from '../diff/data-diff.ts';
import { isChange } from '../diff/is-change.ts';
import { declaredTables } from '../pipeline-tests/files/declared-tables.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import { collectProblems } from '../pipeline-tests/files/test-problem.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { calledPipelines } from '../pipeline-tests/first-test/examples/called-pipelines.ts';
import { openTestWarehouse } from '../pipeline-tests/run/open-test-warehouse.ts';
import { planFile } from '../pipeline-tests/run/plan-file.ts';
import { testSetting, type TestSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import { rawOf } from './cell-values.ts';
import { type Inputs, withInputs } from './input-tables.ts';
import { observe } from './observe.ts';
import { openSearch, type OtherVersion } from './open-search.ts';
import { shrinkRows } from './shrink-rows.ts';

export interface DiffRows {
  readonly project: TestProject;
  readonly base: BaseProject;
  /** Paths of test files in the project. */
  readonly files: readonly string[];
  /** Only tests whose name contains this text, in any case. */
  readonly filter?: string | undefined;
  readonly seed: number;
  /** Every search ends after this time in milliseconds. */
  readonly budgetMs: number;
}

/** Candidates for one test; and to make found rows few and simple. */
const candidatesPerTest = 60;
const candidatesToShrink = 120;

/**
 * For each pipeline that a change may affect and whose tests show no difference, searches for rows that show one,
 * starting from the rows of its tests. Throws Failure 'engine-missing', and the reason of a cancel.
 */
export async function rowsForDiff(
  diff: DataDiff,
  { project, base, files, filter, seed, budgetMs }: DiffRows,
  context: TestContext,
): Promise<readonly RowsForChange[]> {
  const until = context.clock.now() + budgetMs;
  const tests = (await testsOf(files, project, filter)).filter(({ document }) =>
    isAffected(document.path, project, base),
  );
  const shown = new Set(diff.changes.flatMap((change) => (isChange(change) ? [change.pipeline] : [])));
  const byPipeline = Map.groupBy(tests, ({ document }) => document.path);
  const results: RowsForChange[] = [];
  await using warehouse = await openTestWarehouse(project);
  const setting = testSetting(project, context);
  for (const [pipeline, own] of byPipeline) {
    if (shown.has(pipeline)) continue;
    let result: RowsForChange = { pipeline, status: 'none-found' };
    for (const planned of own) {
      if (context.clock.now() >= until) {
        result = { pipeline, status: 'not-searched' };
        break;
      }
      const found = await search(planned, { warehouse, setting, base, seed, until });
      if (found === undefined) continue;
      result = { pipeline, status: 'found', ...found };
      break;
    }
    results.push(result);
  }
  return results;
}

async function testsOf(
  files: readonly string[],
  project: TestProject,
  filter: string | undefined,
): Promise<readonly PlannedTest[]> {
  const tests: PlannedTest[] = [];
  for (const file of files)
    tests.push(...((await collectProblems([], () => planFile(file, project, { filter }))) ?? []));
  return tests;
}

/** Whether a pipeline, one that it calls, or a file with SQL of these differs from the base. */
function isAffected(pipeline: string, project: TestProject, { changed }: BaseProject): boolean {
  return calledPipelines(pipeline, project).some((file) => {
    const document = project.pipeline(file);
    const scripts = document === undefined ? [] : scriptFacts(document).flatMap(({ path }) => path ?? []);
    return [file, ...scripts].some((path) => changed.has(path));
  });
}

interface Searching {
  readonly warehouse: Warehouse;
  readonly setting: TestSetting;
  readonly base: BaseProject;
  readonly seed: number;
  readonly until: number;
}

/** Rows with which the pipeline of a test does something else than it did. */
async function search(
  planned: PlannedTest,
  { warehouse, setting, base, seed, until }: Searching,
): Promise<Pick<RowsForChange, 'test' | 'given' | 'tables' | 'isOtherEnd'> | undefined> {
  const { project, clock } = setting;
  try {
    const before = (await testAtBase(planned, project, base))?.shared;
    if (before === undefined) return undefined;
    const versions = [base.project];
    const rows = await openSearch(planned, warehouse, setting, { seed, versions });
    // Given tables have the types that the project on disk declares, on both sides.
    const baseSetting = { ...setting, project: base.project, declared: declaredTables(project) };
    const other: OtherVersion = { planned: before, setting: baseSetting, focus: [] };
    const found = await rows?.find(other, { maxCandidates: candidatesPerTest, until });
    if (rows === undefined || found === undefined) return undefined;
    const now = () => clock.now();
    const { inputs } = await shrinkRows(found, rows, other, {
      maxCandidates: candidatesToShrink,
      until,
      now,
    });
    const left = await observe(withInputs(before, inputs), warehouse, baseSetting);
    const right = await observe(withInputs(planned, inputs), warehouse, setting);
    if (left === undefined || right === undefined) return undefined;
    const { changes } = compareTables(left.tables, right.tables, { project, onlyWritten: false });
    const isOtherEnd = left.status !== right.status;
    const { file, test } = planned;
    return {
      test: { file: file.file, line: test.place.line, name: test.name },
      given: givenOf(inputs),
      tables: isOtherEnd ? [] : changes,
      isOtherEnd,
    };
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}

function givenOf(inputs: Inputs): NonNullable<RowsForChange['given']> {
  return inputs.map(({ name, columns, rows }) => ({
    table: name,
    rows: rows.map(({ cells }) =>
      Object.fromEntries(columns.map((column, index) => [column.name, shownCell(cells[index] ?? 'null')])),
    ),
  }));
}

function shownCell(cell: string): string | null {
  return cell === 'null' ? null : (rawOf(cell) ?? cell);
}
