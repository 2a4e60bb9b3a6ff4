import { type FileProblem, FileProblems } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { countProcesses, sharedPython } from './count-processes.ts';
import { openCoverage } from './coverage.ts';
import { type EndedTest, reportOfParts, type TestParts, type TestReport } from './test-report.ts';
import { type PlannedFile, planWithCache, withoutCache } from './cached-tests.ts';
import { openTestCache, type TestCacheOptions } from '../cache/test-cache.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { planFile } from './plan-file.ts';
import { runPlanned } from './run-planned.ts';
import { type Inspect, testSetting, type TestSetting } from './run-test.ts';
import { collectProblems } from '../files/test-problem.ts';
import type { TestContext } from './test-context.ts';
import type { TestProject } from '../files/test-project.ts';

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
  /** Where results of tests are kept. Default, and with `inspect`: every test runs. */
  readonly cache?: TestCacheOptions | undefined;
}

/**
 * Runs the tests of files, and reports them in the order of the files. If a file is invalid, the tests of other
 * files still run. Throws Failure 'no-test', 'engine-missing' and 'job-failed'.
 */
export async function runTests(request: TestRequest, context: TestContext): Promise<TestReport> {
  return reportOfParts(await runParts(request, context));
}

/** Like `runTests`, but returns the parts of the report instead of the report. */
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
    const { result, reached } = planOf.get(test)?.known.get(test) ?? {};
    if (reached !== undefined) coverage?.add(reached);
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

function isCaching({ cache, inspect }: TestRequest): boolean {
  return cache !== undefined && inspect === undefined;
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
