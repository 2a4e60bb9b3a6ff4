import { type FileProblem, FileProblems } from '../../engine/index.ts';
import type { TestCacheOptions } from '../pipeline-tests/cache/test-cache.ts';
import { declaredTables } from '../pipeline-tests/files/declared-tables.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import { testSetting, type TestSetting } from '../pipeline-tests/run/run-test.ts';
import { noTest } from '../pipeline-tests/run/run-tests.ts';
import { planFile } from '../pipeline-tests/run/plan-file.ts';
import { openTestWarehouse } from '../pipeline-tests/run/open-test-warehouse.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import { collectProblems, sortedProblems } from '../pipeline-tests/files/test-problem.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { changedReads, type Reads, traceReads } from '../pipeline-tests/files/trace-reads.ts';
import { type BaseProject, unknownFile } from './base-project.ts';
import { compareTables } from './compare-tables.ts';
import type { DataDiff, TestChange } from './data-diff.ts';
import { type BaseRun, runAtBase } from './run-at-base.ts';
import { describe } from './describe.ts';
import { type KnownRun, type KnownRuns, openKnownRuns } from './known-tests.ts';
import { isOtherEnd } from './other-end.ts';
import { componentsOnlyIn, runOnce, type RunResult, withNewPaths } from './run-both.ts';
import { tableTotals } from './table-totals.ts';
import { type Reached, untestedChanges } from './untested-changes.ts';

export interface DiffRequest {
  readonly project: TestProject;
  readonly base: BaseProject;
  /** Paths of test files in the project. */
  readonly files: readonly string[];
  /** Only tests whose name contains this text, in any case. */
  readonly filter?: string | undefined;
  /** The files are not all test files of the project. */
  readonly isPartial: boolean;
  /** What does not run, because the change of the project cannot change its result. Default: all of `files` run. */
  readonly unaffected?: Unaffected | undefined;
  /** How many tests run at the same time. */
  readonly jobs: number;
  /** Results of tests that passed: one that reads the same on both sides does not run. Default: all run. */
  readonly cache?: TestCacheOptions | undefined;
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
}

/** The tests that a change does not affect, because the change was compared by its meaning. */
export interface Unaffected {
  /** Paths of test files that are not in `files`. */
  readonly tests: readonly string[];
  /** Whether a file that differs does the same as before, such as SQL with another comment. */
  readonly isSame: (file: string) => boolean;
}

/** A test of the project with the record of what it reads. */
interface Traced {
  readonly planned: PlannedTest;
  readonly setting: TestSetting;
  readonly reads: Reads;
}

/**
 * Runs the pipelines of the tests as they are and as they were at the base, on the same rows, and compares the
 * resulting tables. A test that reads nothing that has changed runs only once. Throws Failure 'no-test' and
 * 'engine-missing', and the reason of a cancel.
 */
export async function diffData(request: DiffRequest, context: TestContext): Promise<DataDiff> {
  const { project, base: atBase } = request;
  const { name, commit, isFork } = atBase;
  const base = { name, commit, isFork };
  const problems: FileProblem[] = [];
  const kept = openKnownRuns(request, context);
  const { tests, known: unplanned } = await planAll(request, context, { problems, kept });
  const { unaffected } = request;
  const others =
    unaffected && (await planAll({ ...request, files: unaffected.tests }, context, { problems, kept }));
  const leftOut = others && others.tests.length + others.known.length;
  const all = tests.length + unplanned.length;
  if (all + problems.length + (leftOut ?? 0) === 0)
    throw noTest({ ...request, files: [...request.files, ...(unaffected?.tests ?? [])] });
  if (!atBase.isOther)
    return {
      base,
      isSame: true,
      isPartial: request.isPartial || request.filter !== undefined,
      tests: 0,
      compared: 0,
      tables: [],
      changes: [],
      untested: [],
      ...(problems.length === 0 ? {} : { problems: sortedProblems(problems) }),
    };
  const collected: Found = {
    problems,
    now: nothingReached(),
    before: nothingReached(),
    compared: 0,
    changes: new Map(),
  };
  const known = new Map(
    tests.flatMap(({ planned }): readonly (readonly [PlannedTest, KnownRun])[] => {
      const run = kept.of(planned);
      return run === undefined ? [] : [[planned, run]];
    }),
  );
  for (const run of [...unplanned, ...known.values()]) note(collected.now, run);
  for (const [planned, { files }] of known) {
    const reason = unknownFile(files, atBase);
    if (reason !== undefined) collected.changes.set(planned, notCompared(planned, reason));
  }
  await compareAll(
    tests.filter(({ planned }) => !known.has(planned)),
    request,
    context,
    collected,
  );
  const ordered = tests.flatMap(({ planned }) => collected.changes.get(planned) ?? []);
  const read = new Set([
    ...unplanned.flatMap(({ files }) => files),
    ...tests.flatMap(({ planned, reads }) => [...reads.texts.keys(), ...(known.get(planned)?.files ?? [])]),
  ]);
  return {
    base,
    isSame: false,
    isPartial: request.isPartial || request.filter !== undefined,
    tests: all,
    compared: collected.compared,
    tables: tableTotals(ordered),
    changes: ordered,
    untested: untestedChanges(atBase, project, { ...collected, read }).filter(
      ({ file, isSubmodule }) => isSubmodule === true || unaffected?.isSame(file) !== true,
    ),
    ...(leftOut === undefined ? {} : { leftOut }),
    ...(problems.length === 0 ? {} : { problems: sortedProblems(problems) }),
  };
}

async function planAll(
  { project, files, filter, packages }: DiffRequest,
  context: TestContext,
  { problems, kept }: { readonly problems: FileProblem[]; readonly kept: KnownRuns },
): Promise<{ readonly tests: readonly Traced[]; readonly known: readonly KnownRun[] }> {
  const common = testSetting(project, context);
  const tests: Traced[] = [];
  const known: KnownRun[] = [];
  for (const file of files) {
    const runs = kept.ofFile(file);
    if (runs !== undefined) {
      known.push(...runs);
      continue;
    }
    const traced = traceReads(project, common.declared);
    const setting = { ...common, project: traced.project, declared: traced.declared };
    const plan = () => planFile(file, traced.project, { filter, packages });
    for (const planned of (await collectProblems(problems, plan)) ?? [])
      tests.push({ planned, setting, reads: traced.reads });
  }
  return { tests, known };
}

interface Found {
  readonly problems: FileProblem[];
  readonly now: Reached;
  readonly before: Reached;
  compared: number;
  readonly changes: Map<PlannedTest, TestChange>;
}

/** Each job has a warehouse for each side, and takes the next test until none is left. */
async function compareAll(
  tests: readonly Traced[],
  { project, base, jobs, packages }: DiffRequest,
  context: TestContext,
  collected: Found,
): Promise<void> {
  // Given tables have the types that the project on disk declares, on both sides.
  const declared = declaredTables(project);
  const baseSetting = { ...testSetting(base.project, context), declared };
  const waiting = tests.values();
  const job = async () => {
    await using current = await openTestWarehouse(project, packages);
    await using before = await openTestWarehouse(base.project, packages);
    for (const { planned, setting: currentSetting, reads } of waiting) {
      context.signal.throwIfAborted();
      try {
        const after = await runOnce(planned, current, currentSetting);
        note(collected.now, after);
        const read = [...reads.texts.keys()];
        if (changedReads(reads, base.project, declared) !== undefined) {
          collected.compared += 1;
          const succeedsNow = after.unknown === undefined && after.end.status === 'success';
          const traced = traceReads(base.project, declared);
          const setting = { ...baseSetting, project: traced.project };
          const traceable = { ...base, project: traced.project };
          const at = { warehouse: before, setting, project, base: traceable, succeedsNow };
          const atBase = await runAtBase(planned, at);
          note(collected.before, atBase);
          read.push(...traced.reads.texts.keys());
          const change = changeOf(planned, atBase, after, { project, base });
          if (change !== undefined) collected.changes.set(planned, change);
        }
        const reason = unknownFile(read, base);
        if (reason !== undefined && !collected.changes.has(planned))
          collected.changes.set(planned, notCompared(planned, reason));
      } catch (error) {
        if (!(error instanceof FileProblems)) throw error;
        collected.problems.push(...error.problems);
        const [first] = error.problems;
        collected.changes.set(
          planned,
          notCompared(planned, first === undefined ? error.message : describe(first)),
        );
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tests.length) }, job));
}

function nothingReached(): Reached {
  return { called: new Set(), ran: new Set(), mocked: new Set() };
}

function note(reached: Reached, { called, ran, mocked }: Pick<RunResult, 'called' | 'ran' | 'mocked'>): void {
  for (const path of called) reached.called.add(path);
  for (const component of mocked) reached.mocked.add(component);
  for (const component of ran) if (!mocked.has(component)) reached.ran.add(component);
}

function placeOf({ file, test, document }: PlannedTest) {
  return { file: file.file, line: test.place.line, name: test.name, pipeline: document.path };
}

const nothing = { rowsAtBase: 'same', stopped: [], started: [], tables: [], equalTables: 0 } as const;

function notCompared(planned: PlannedTest, reason: string): TestChange {
  return { ...placeOf(planned), ...nothing, status: 'not-compared', reason };
}

function changeOf(
  planned: PlannedTest,
  before: BaseRun,
  after: RunResult,
  { project, base }: Pick<DiffRequest, 'project' | 'base'>,
): TestChange | undefined {
  if (after.unknown !== undefined) return notCompared(planned, after.unknown);
  if (before.unknown !== undefined) return notCompared(planned, `at the base: ${before.unknown}`);
  const { status: ended, component } = after.end;
  const failsBoth = ended === 'failure' && before.end.status === 'failure';
  if (failsBoth && planned.test.expected.outcome.isSuccess)
    return notCompared(
      planned,
      `the pipeline fails on both sides${component === undefined ? '' : `, now in "${component}"`}`,
    );
  const status = before.isNew ? 'new-pipeline' : 'changed';
  const isUnexpected = !after.isAsExpected;
  const isOther = !before.isNew && isOtherEnd(before.end, after.end);
  const hasEnd = isOther || isUnexpected;
  // What a pipeline left before it failed is not what it computes.
  const isComparable = !hasEnd || before.end.status === ended;
  const { changes: tables, equal: equalTables } = isComparable
    ? compareTables(before.tables, after.tables, { project, onlyWritten: before.rowsAtBase === 'own' })
    : { changes: [], equal: 0 };
  const moved = isComparable && !before.isNew;
  const ranBefore = withNewPaths(before.ran, base);
  const stopped = moved ? componentsOnlyIn(ranBefore, after.ran, { project, base }) : [];
  const started = moved ? componentsOnlyIn(after.ran, ranBefore, { project, base }) : [];
  const isEqual = tables.length + stopped.length + started.length === 0;
  if (!hasEnd && isEqual && before.rowsAtBase === 'same') return undefined;
  const { isSuccess } = planned.test.expected.outcome;
  const endNow = isUnexpected && !isSuccess ? { ...after.end, isUnexpected } : after.end;
  const endBefore = before.isNew ? {} : { before: before.end };
  const end = hasEnd ? { end: { ...endBefore, after: endNow } } : {};
  return {
    ...placeOf(planned),
    status,
    rowsAtBase: before.rowsAtBase,
    ...end,
    stopped,
    started,
    tables,
    equalTables,
  };
}
