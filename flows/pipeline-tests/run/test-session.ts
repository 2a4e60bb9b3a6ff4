import { type FileProblem, FileProblems } from '../../../engine/index.ts';
import { coverageOf, openCoverage } from './coverage.ts';
import { declaredTables } from '../files/declared-tables.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { testSetting, type TestSetting } from './run-test.ts';
import { noTest } from './run-tests.ts';
import { runPlanned } from './run-planned.ts';
import { reportOf, type TestReport } from './test-report.ts';
import { planFile } from './plan-file.ts';
import { collectProblems } from '../files/test-problem.ts';
import type { TestContext } from './test-context.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestResult } from '../compare/test-result.ts';
import { changedReads, type Reads, traceReads } from '../files/trace-reads.ts';

export interface SessionRequest {
  readonly filter?: string | undefined;
  readonly jobs: number;
  /** If true, every change runs all tests, because the coverage is about all tests. */
  readonly withCoverage: boolean;
}

/** One run of a session. */
export interface SessionRun {
  /** Files that differ from those that the tests read before; empty in the first round. */
  readonly changed: readonly string[];
  /** The test files that ran in this round. */
  readonly ran: ReadonlySet<string>;
  /** All tests with their newest results. */
  readonly report: TestReport;
  /** Problems of test files, whose tests have no result. */
  readonly problems: readonly FileProblem[];
}

/** Runs tests repeatedly. A test runs again only if something that it reads has changed. */
export interface TestSession {
  /**
   * Runs the tests of these files that would read something else than before. Returns undefined if none would. Throws
   * Failure 'no-test' and 'engine-missing', and the reason of a cancel.
   */
  run(project: TestProject, files: readonly string[]): Promise<SessionRun | undefined>;
}

/** The last run of a test file. */
interface Known {
  readonly reads: Reads;
  readonly tests: readonly TestResult[];
  readonly problems: readonly FileProblem[];
}

export function openTestSession(request: SessionRequest, context: TestContext): TestSession {
  let lastRuns = new Map<string, Known>();
  return {
    async run(project, files) {
      const { due, changed } = dueFiles(project, files, lastRuns, request);
      const isSmaller = [...lastRuns.keys()].some((file) => !files.includes(file));
      if (due.length === 0 && !isSmaller) return undefined;
      const { entries, coverage } = await runFiles(due, project, request, context);
      // After a cancel, which throws above, the last runs stay as they were.
      lastRuns = new Map(files.flatMap((file) => entryOf(file, entries.get(file) ?? lastRuns.get(file))));
      const all = [...lastRuns.values()];
      const report = reportOf(
        all.flatMap(({ tests }) => tests),
        coverage,
      );
      const problems = all.flatMap((entry) => entry.problems);
      if (report.tests.length + problems.length === 0) throw noTest({ files, filter: request.filter });
      return { changed, ran: new Set(due), report, problems };
    },
  };
}

function entryOf(file: string, entry: Known | undefined): [string, Known][] {
  return entry === undefined ? [] : [[file, entry]];
}

function dueFiles(
  project: TestProject,
  files: readonly string[],
  lastRuns: ReadonlyMap<string, Known>,
  { withCoverage }: SessionRequest,
): { readonly due: readonly string[]; readonly changed: readonly string[] } {
  const declared = declaredTables(project);
  const changed = new Set<string>();
  const due = files.filter((file) => {
    const before = lastRuns.get(file);
    if (before === undefined) return true;
    const different = changedReads(before.reads, project, declared);
    for (const path of different ?? []) changed.add(path);
    return different !== undefined;
  });
  return { due: withCoverage && due.length > 0 ? files : due, changed: [...changed].toSorted() };
}

/** Runs all tests of these files, with one set of warehouses. */
async function runFiles(
  files: readonly string[],
  project: TestProject,
  { filter, jobs, withCoverage }: SessionRequest,
  context: TestContext,
) {
  const common = testSetting(project, context);
  const plans = await Promise.all(
    files.map(async (file) => {
      const traced = traceReads(project, common.declared);
      const setting = { ...common, project: traced.project, declared: traced.declared };
      const plan = await planOf(() => planFile(file, traced.project, { filter }));
      return { file, setting, reads: traced.reads, ...plan };
    }),
  );
  const settings = new Map<PlannedTest, TestSetting>(
    plans.flatMap(({ planned, setting }) => planned.map((test) => [test, setting] as const)),
  );
  const planned = [...settings.keys()];
  const coverage = withCoverage ? openCoverage(project, planned, { files, filter }) : undefined;
  const results = await runPlanned(planned, {
    jobs,
    project,
    coverage,
    settingOf: (test) => settings.get(test) ?? common,
  });
  const entries = new Map(
    plans.map(({ file, reads, planned: plannedTests, problems }): [string, Known] => {
      const ended = plannedTests.flatMap((test) => results.get(test) ?? []);
      const broken = ended.flatMap((result) => (result instanceof FileProblems ? result.problems : []));
      const tests = ended.flatMap((result) => (result instanceof FileProblems ? [] : [result]));
      return [file, { reads, tests, problems: [...problems, ...broken] }];
    }),
  );
  return { entries, coverage: coverage === undefined ? undefined : coverageOf(coverage.parts()) };
}

async function planOf(plan: () => Promise<readonly PlannedTest[]>): Promise<{
  readonly planned: readonly PlannedTest[];
  readonly problems: readonly FileProblem[];
}> {
  const problems: FileProblem[] = [];
  const planned = await collectProblems(problems, plan);
  return { planned: planned ?? [], problems };
}
