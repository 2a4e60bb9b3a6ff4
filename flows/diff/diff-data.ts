import { type FileProblem, FileProblems, type Warehouse } from '../../engine/index.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { declaredTables } from '../test/declared-tables.ts';
import type { PlannedTest } from '../test/planned-test.ts';
import { testSetting, type TestSetting } from '../test/run-test.ts';
import { noTest, openTestWarehouse, planFile } from '../test/run-tests.ts';
import type { TestContext } from '../test/test-context.ts';
import { collectProblems, sortedProblems } from '../test/test-problem.ts';
import type { TestProject } from '../test/test-project.ts';
import { changedReads, type Reads, traceReads } from '../test/trace-reads.ts';
import type { BaseProject } from './base-project.ts';
import { testAtBase } from './base-test.ts';
import { compareTables } from './compare-tables.ts';
import type { DataDiff, PipelineEnd, TestChange, UntestedChange } from './data-diff.ts';
import { describe, givenOnly, runOnce, type RunResult } from './run-both.ts';
import { tableTotals } from './table-totals.ts';

export interface DiffRequest {
  readonly project: TestProject;
  readonly base: BaseProject;
  /** Paths of test files in the project. */
  readonly files: readonly string[];
  /** Only tests whose name contains this text, in any case. */
  readonly filter?: string | undefined;
  /** How many tests run at the same time. */
  readonly jobs: number;
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
}

/** A test of the project with the record of what it reads. */
interface Traced {
  readonly planned: PlannedTest;
  readonly setting: TestSetting;
  readonly reads: Reads;
}

/**
 * Runs the tests' pipelines as they are and as they were at the base, on the same rows, and compares the tables that they
 * leave. A test that reads nothing that has changed runs once. Throws Failure 'no-test' and 'engine-missing', and the
 * reason of a cancel.
 */
export async function diffData(request: DiffRequest, context: TestContext): Promise<DataDiff> {
  const { project, base } = request;
  const { name, commit } = base;
  if (!base.isOther)
    return { base: { name, commit }, isSame: true, tests: 0, tables: [], changes: [], untested: [] };
  const problems: FileProblem[] = [];
  const tests = await planAll(request, context, problems);
  if (tests.length + problems.length === 0) throw noTest(request);
  const called = new Set<string>();
  const changes = await compareAll(tests, request, context, { problems, called });
  const ordered = tests.flatMap(({ planned }) => changes.get(planned) ?? []);
  return {
    base: { name, commit },
    isSame: false,
    tests: tests.length,
    tables: tableTotals(ordered),
    changes: ordered,
    untested: untestedChanges(base, project, called),
    ...(problems.length === 0 ? {} : { problems: sortedProblems(problems) }),
  };
}

async function planAll(
  { project, files, filter, packages }: DiffRequest,
  context: TestContext,
  problems: FileProblem[],
): Promise<readonly Traced[]> {
  const common = testSetting(project, context);
  const tests: Traced[] = [];
  for (const file of files) {
    const traced = traceReads(project, common.declared);
    const setting = { ...common, project: traced.project, declared: traced.declared };
    const plan = () => planFile(file, traced.project, { filter, packages });
    for (const planned of (await collectProblems(problems, plan)) ?? [])
      tests.push({ planned, setting, reads: traced.reads });
  }
  return tests;
}

interface Found {
  readonly problems: FileProblem[];
  /** Pipelines that a run called, now or at the base. */
  readonly called: Set<string>;
}

/** Each job has a warehouse for each side, and takes the next test until none is left. */
async function compareAll(
  tests: readonly Traced[],
  { project, base, jobs, packages }: DiffRequest,
  context: TestContext,
  { problems, called }: Found,
): Promise<ReadonlyMap<PlannedTest, TestChange>> {
  const changes = new Map<PlannedTest, TestChange>();
  const declared = declaredTables(base.project);
  const baseSetting = { ...testSetting(base.project, context), declared };
  const waiting = tests.values();
  const job = async () => {
    await using current = await openTestWarehouse(project, packages);
    await using before = await openTestWarehouse(base.project, packages);
    for (const { planned, setting, reads } of waiting) {
      context.signal.throwIfAborted();
      const after = await collectProblems(problems, () => runOnce(planned, current, setting));
      if (after === undefined) continue;
      for (const path of after.called) called.add(path);
      if (changedReads(reads, base.project, declared) === undefined) continue;
      const atBase = await runAtBase(planned, before, { setting: baseSetting, project, base });
      for (const path of atBase.called) called.add(path);
      const change = changeOf(planned, atBase, after, project);
      if (change !== undefined) changes.set(planned, change);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tests.length) }, job));
  return changes;
}

interface BaseRun extends RunResult {
  readonly isNew: boolean;
}

/** The run with the pipeline of the base. What is wrong there is why the runs cannot be compared. */
async function runAtBase(
  planned: PlannedTest,
  warehouse: Warehouse,
  {
    setting,
    project,
    base,
  }: { readonly setting: TestSetting; readonly project: TestProject; readonly base: BaseProject },
): Promise<BaseRun> {
  try {
    const before = await testAtBase(planned, project, base);
    return before === undefined
      ? { ...(await givenOnly(planned, warehouse, setting)), isNew: true }
      : { ...(await runOnce(before, warehouse, setting)), isNew: false };
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    const [first] = error.problems;
    const unknown = first === undefined ? error.message : describe(first);
    return { end: { status: 'failure' }, called: [], tables: new Map(), unknown, isNew: false };
  }
}

function changeOf(
  { file, test, document }: PlannedTest,
  before: BaseRun,
  after: RunResult,
  project: TestProject,
): TestChange | undefined {
  const common = { file: file.file, line: test.place.line, name: test.name, pipeline: document.path };
  const reason =
    after.unknown ?? (before.unknown === undefined ? undefined : `at the base: ${before.unknown}`);
  if (reason !== undefined) return { ...common, status: 'not-compared', tables: [], reason };
  const status = before.isNew ? 'new-pipeline' : 'changed';
  const hasOtherEnd = !before.isNew && isOther(before.end, after.end);
  // What a pipeline left before it failed is not what it computes.
  const tables =
    hasOtherEnd && before.end.status !== after.end.status
      ? []
      : compareTables(before.tables, after.tables, project);
  if (!hasOtherEnd && tables.length === 0) return undefined;
  const end = hasOtherEnd ? { end: { before: before.end, after: after.end } } : {};
  return { ...common, status, tables, ...end };
}

function isOther(before: PipelineEnd, after: PipelineEnd): boolean {
  return before.status !== after.status || before.component !== after.component;
}

/** Changed pipelines that no run called: the diff says nothing about them. */
function untestedChanges(
  { pipelines, renamed }: BaseProject,
  project: TestProject,
  called: ReadonlySet<string>,
): readonly UntestedChange[] {
  return [...pipelines]
    .filter(([path]) => !called.has(path) && !called.has(renamed.get(path) ?? path))
    .filter(([path, change]) => kindOf(path) !== undefined && (change === 'deleted' || project.has(path)))
    .map(([pipeline, change]) => ({ pipeline, change }))
    .toSorted((a, b) => (a.pipeline < b.pipeline ? -1 : 1));
}
