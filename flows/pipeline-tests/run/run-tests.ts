import { type FileProblem, FileProblems } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { countProcesses, maxPerProcess, sharedPython } from './count-processes.ts';
import { type CoverageRecorder, openCoverage, reachedBy } from './coverage.ts';
import { type EndedTest, reportOfParts, type TestParts, type TestReport } from './test-report.ts';
import { decodeResult } from './encode-result.ts';
import type { JobSetting } from './job-messages.ts';
import { runInProcess } from './run-in-process.ts';
import { openQueue } from './test-queue.ts';
import { type PlannedFile, planWithCache, withoutCache } from './cached-tests.ts';
import type { TestTrace } from './traced-setting.ts';
import { openTestCache, type TestCacheOptions } from '../cache/test-cache.ts';
import { writeRecipe } from '../files/reopen-project.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { planFile } from './plan-file.ts';
import { openTestWarehouse } from './open-test-warehouse.ts';
import { type Inspect, runTest, testSetting, type TestSetting } from './run-test.ts';
import { collectProblems } from '../files/test-problem.ts';
import type { TestContext } from './test-context.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestRun } from '../compare/test-run.ts';

export interface TestRequest {
  readonly project: TestProject;
  /** Paths of test files in the project. */
  readonly files: readonly string[];
  /** Only tests whose name contains this text, in any case. */
  readonly filter?: string | undefined;
  /** How many tests run at the same time. */
  readonly jobs: number;
  readonly withCoverage: boolean;
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
  /** The tests of this run, of all tests that were planned; default: all. */
  readonly select?: ((planned: readonly PlannedTest[]) => readonly PlannedTest[]) | undefined;
  /** Called with each run before its warehouse is emptied. */
  readonly inspect?: Inspect | undefined;
  /** Where results of tests are kept. Default, and with `withCoverage` or `inspect`: every test runs. */
  readonly cache?: TestCacheOptions | undefined;
}

/**
 * Runs the tests of files, and reports them in the order of the files. A file that is wrong does not keep the tests of
 * others from running. Throws Failure 'no-test', 'engine-missing' and 'job-failed'.
 */
export async function runTests(request: TestRequest, context: TestContext): Promise<TestReport> {
  return reportOfParts(await runParts(request, context));
}

/** Like `runTests`, without the report. */
export async function runParts(request: TestRequest, context: TestContext): Promise<TestParts> {
  const { project, files, filter, withCoverage, select } = request;
  const planning = testSetting(project, context);
  const { plans, planned, problems } = await planAll(request, planning);
  const coverage = withCoverage ? openCoverage(project, planned, { files, filter }) : undefined;
  const chosen = select?.(planned) ?? planned;
  const planOf = new Map(plans.flatMap((file) => file.tests.map((test) => [test, file] as const)));
  // Which of the planned tests really run is decided here, in the process of the command, before others start.
  const waiting = chosen.filter((test) => planOf.get(test)?.known.has(test) !== true);
  const processes = countProcesses(waiting.length, request, context);
  const python = sharedPython(context.python, processes);
  const setting = { ...planning, python: testSetting(project, { ...context, python }).python };
  const ran = await runPlanned(waiting, {
    ...request,
    coverage,
    settingOf: (test) => planOf.get(test)?.settingOf(test, setting) ?? setting,
    processes,
    python,
    onRun: (test, run) => planOf.get(test)?.see(test, run),
    onTrace: isCaching(request) ? (test, trace) => planOf.get(test)?.note(test, trace) : undefined,
  });
  for (const file of plans)
    file.keep((test) => {
      const ended = ran.get(test);
      return ended instanceof FileProblems ? undefined : ended;
    });
  const known = chosen.flatMap((test) => {
    const result = planOf.get(test)?.known.get(test);
    return result === undefined ? [] : [[test, result] as const];
  });
  const results = new Map<PlannedTest, EndedTest>([...known, ...ran]);
  return { planned, results, problems, coverage: coverage?.parts(), callRoot: project.roots.taken() };
}

/** Plans the tests of files. Throws Failure 'no-test' and 'engine-missing'. */
export async function planFiles(
  request: Pick<TestRequest, 'project' | 'files' | 'filter' | 'packages'>,
): Promise<Pick<TestParts, 'planned' | 'problems'>> {
  const { project, filter, packages } = request;
  const plan = async (path: string) => withoutCache(await planFile(path, project, { filter, packages }));
  return planEach(request, plan);
}

/** The tests of all files, with what the cache knows of them. */
function planAll(request: TestRequest, setting: TestSetting): ReturnType<typeof planEach> {
  const { project, filter, packages, cache: options } = request;
  const planWith = (path: string, traced: TestProject) => planFile(path, traced, { filter, packages });
  if (options === undefined || !isCaching(request))
    return planEach(request, async (path) => withoutCache(await planWith(path, project)));
  const cache = openTestCache(project, setting.declared, options);
  return planEach(request, (path) =>
    planWithCache(path, { setting, cache, plan: (traced) => planWith(path, traced) }),
  );
}

function isCaching({ cache, withCoverage, inspect }: TestRequest): boolean {
  return cache !== undefined && !withCoverage && inspect === undefined;
}

async function planEach(
  request: Pick<TestRequest, 'files' | 'filter'>,
  plan: (path: string) => Promise<PlannedFile>,
): Promise<Pick<TestParts, 'planned' | 'problems'> & { readonly plans: readonly PlannedFile[] }> {
  const problems: FileProblem[] = [];
  const plans: PlannedFile[] = [];
  for (const path of request.files) {
    const file = await collectProblems(problems, () => plan(path));
    if (file !== undefined) plans.push(file);
  }
  const planned = plans.flatMap((file) => file.tests);
  if (planned.length + problems.length === 0) throw noTest(request);
  return { plans, planned, problems };
}

export function noTest({ files, filter }: Pick<TestRequest, 'files' | 'filter'>): Failure {
  if (files.length === 0 || filter === undefined) {
    return new Failure('no-test', { message: 'No test was found.' });
  }
  return new Failure('no-test', {
    message: `No test has a name that contains "${filter}".`,
    hint: 'Give a part of the name of a test. Upper and lower case are the same.',
  });
}

export interface PlannedRun {
  readonly jobs: number;
  readonly project: TestProject;
  readonly settingOf: (test: PlannedTest) => TestSetting;
  readonly coverage: CoverageRecorder | undefined;
  readonly packages?: string | undefined;
  readonly inspect?: Inspect | undefined;
  /**
   * How many processes run the tests, with the one of the caller; default: only this. Others open the project by its
   * recipe, so settings of single tests do not apply there.
   */
  readonly processes?: number;
  /** The permission for Python components, for other processes. */
  readonly python?: TestContext['python'];
  /** Called with each run in this process, before its warehouse is emptied. */
  readonly onRun?: ((test: PlannedTest, run: TestRun) => void) | undefined;
  /** Called with what a test read in another process. */
  readonly onTrace?: ((test: PlannedTest, trace: TestTrace) => void) | undefined;
}

/**
 * Runs tests: each job has a warehouse of its own, and takes the next test until none is left. A test whose fixtures
 * are wrong has problems instead of a result. Throws as `runInProcess` does.
 */
export async function runPlanned(
  planned: readonly PlannedTest[],
  {
    jobs,
    project,
    settingOf,
    coverage,
    packages,
    inspect,
    processes = 1,
    python,
    onRun,
    onTrace,
  }: PlannedRun,
): Promise<ReadonlyMap<PlannedTest, EndedTest>> {
  const results = new Map<PlannedTest, EndedTest>();
  const queue = openQueue(planned, processes);
  const stop = new AbortController();
  const look: Inspect = async (run, differences) => {
    coverage?.add(reachedBy(run));
    onRun?.(run.planned, run);
    await inspect?.(run, differences);
  };
  const job = async () => {
    await using warehouse = await openTestWarehouse(project, packages);
    for (let test = queue.take(); test !== undefined; test = queue.take()) {
      const setting = settingOf(test);
      setting.signal.throwIfAborted();
      stop.signal.throwIfAborted();
      try {
        results.set(test, await runTest(test, warehouse, setting, look));
      } catch (error) {
        if (!(error instanceof FileProblems)) throw error;
        results.set(test, error);
      }
    }
  };
  const atOnce = Math.min(maxPerProcess, Math.ceil(Math.min(jobs, planned.length) / processes));
  const others = otherProcesses({ processes, project, python, packages, atOnce, coverage, onTrace });
  const [first] = planned;
  const work = [
    ...Array.from({ length: atOnce }, job),
    ...others.map((setting) =>
      runInProcess(queue, {
        setting,
        signal: first === undefined ? stop.signal : AbortSignal.any([stop.signal, settingOf(first).signal]),
        onEnded(test, { result, problems, reached, usesCallRoot, trace }) {
          if (usesCallRoot === true) project.roots.found();
          if (trace !== undefined) onTrace?.(test, trace);
          if (reached !== undefined) coverage?.add(reached);
          results.set(test, result === undefined ? new FileProblems(problems ?? []) : decodeResult(result));
        },
      }),
    ),
  ];
  try {
    await Promise.all(work);
  } catch (error) {
    // The first error counts; no process outlives this one.
    stop.abort(error);
    await Promise.allSettled(work);
    throw error;
  }
  return results;
}

/** What the other processes must know, one for each. */
function otherProcesses({
  processes,
  project: { recipe },
  python,
  packages,
  atOnce,
  coverage,
  onTrace,
}: Pick<PlannedRun, 'project' | 'python' | 'packages' | 'coverage' | 'onTrace'> & {
  readonly processes: number;
  readonly atOnce: number;
}): readonly JobSetting[] {
  if (recipe === undefined) return [];
  const setting = {
    project: writeRecipe(recipe),
    // Time is the machine's there.
    python: python && { ...python, clock: undefined },
    packages,
    atOnce,
    withCoverage: coverage !== undefined,
    withTraces: onTrace !== undefined,
  };
  return Array.from({ length: processes - 1 }, () => setting);
}
