import { posix } from 'node:path';
import {
  type FileProblem,
  FileProblems,
  type Warehouse,
  WarehouseUnavailable,
  openWarehouse,
  problemAt,
} from '../../../engine/index.ts';
import { didYouMean } from '../../../lib/core/text/look-alike.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { type Coverage, openCoverage } from './coverage.ts';
import { type PlannedTest, planTests } from '../files/planned-test.ts';
import { readTestFile } from '../files/read-test-file.ts';
import { type Inspect, runTest, testSetting, type TestSetting } from './run-test.ts';
import { collectProblems, sortedProblems } from '../files/test-problem.ts';
import type { TestContext } from './test-context.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestResult } from '../compare/test-result.ts';
import { type PlannedFile, planWithCache } from './cached-tests.ts';
import { openTestCache, type TestCacheOptions } from '../cache/test-cache.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';

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
  /** Called with each run before its warehouse is emptied. */
  readonly inspect?: Inspect | undefined;
  /** Where results of tests are kept. Default, and with `withCoverage` or `inspect`: every test runs. */
  readonly cache?: TestCacheOptions | undefined;
}

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly refused: number;
  readonly tests: readonly TestResult[];
  /** What is wrong in test files, fixtures and pipelines, in the order of the files: their tests are not in `tests`. */
  readonly problems?: readonly FileProblem[];
  readonly coverage?: Coverage;
}

/** A statement that needs more fails. */
const memoryLimit = '1GB';

/**
 * Runs the tests of files, and reports them in the order of the files. A file that is wrong does not keep the tests of
 * others from running. Throws Failure 'no-test' and 'engine-missing'.
 */
export async function runTests(request: TestRequest, context: TestContext): Promise<TestReport> {
  const { project, files, filter, withCoverage } = request;
  const setting = testSetting(project, context);
  const problems: FileProblem[] = [];
  const planned: PlannedFile[] = [];
  const planFileOf = filePlanner(request, setting);
  for (const path of files) {
    const file = await collectProblems(problems, () => planFileOf(path));
    if (file !== undefined) planned.push(file);
  }
  const tests = planned.flatMap((file) => file.tests);
  if (tests.length + problems.length === 0) throw noTest(request);
  const settings = new Map(
    planned.flatMap((file) =>
      testsToRun(file.tests).map((test): [PlannedTest, TestSetting] => [test, file.settingOf(test)]),
    ),
  );
  const waiting = [...settings.keys()];
  const coverage = withCoverage ? openCoverage(project, waiting, { files, filter }) : undefined;
  const settingOf = (test: PlannedTest) => settings.get(test) ?? setting;
  const results = await runPlanned(waiting, { ...request, coverage, settingOf });
  for (const result of results.values())
    if (result instanceof FileProblems) problems.push(...result.problems);
  const resultOf = (test: PlannedTest): TestResult | undefined => {
    const ended = results.get(test);
    return ended instanceof FileProblems ? undefined : ended;
  };
  for (const file of planned) file.keep(resultOf);
  const ended = tests.flatMap((test) => ('status' in test ? test : (resultOf(test) ?? [])));
  const report = reportOf(ended, coverage?.report());
  return problems.length === 0 ? report : { ...report, problems: sortedProblems(problems) };
}

/** Plans the tests of files, with those left out whose results are known. */
function filePlanner(
  { project, filter = '', packages, cache: options, withCoverage, inspect }: TestRequest,
  setting: TestSetting,
): (path: string) => Promise<PlannedFile> {
  if (options === undefined || withCoverage || inspect !== undefined)
    return async (path) => ({
      tests: await planFile(path, project, { filter, packages }),
      settingOf: () => setting,
      keep: () => undefined,
    });
  const cache = openTestCache(project, setting.declared, options);
  const accepts = nameFilter(filter);
  return (path) =>
    planWithCache(path, {
      setting,
      cache,
      accepts,
      plan: (traced) => planFile(path, traced, { filter, packages }),
    });
}

function testsToRun(tests: PlannedFile['tests']): readonly PlannedTest[] {
  return tests.flatMap((test) => ('status' in test ? [] : test));
}

/** Whether a name contains a text, in any case. */
function nameFilter(filter: string): (name: string) => boolean {
  const word = filter.normalize('NFC').toLowerCase();
  return (name) => name.normalize('NFC').toLowerCase().includes(word);
}

/** The report of tests that ran. */
export function reportOf(tests: readonly TestResult[], coverage?: Coverage): TestReport {
  const count = (status: TestResult['status']) => tests.filter((test) => test.status === status).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    refused: count('refused'),
    tests,
    ...(coverage === undefined ? {} : { coverage }),
  };
}

/** The tests of a file whose names contain a text. Throws FileProblems, and Failure 'engine-missing'. */
export async function planFile(
  path: string,
  project: TestProject,
  { filter = '', packages }: Pick<TestRequest, 'filter' | 'packages'>,
): Promise<readonly PlannedTest[]> {
  if (project.links.includes(path)) {
    const message =
      'the test file is a symbolic link, which Millrace does not follow: replace it by a plain file';
    throw problemAt({ file: path, line: 1, column: 1 }, message);
  }
  if (project.specials.includes(path)) {
    const message = 'the test file is a named pipe, a socket or a device: replace it by a plain file';
    throw problemAt({ file: path, line: 1, column: 1 }, message);
  }
  try {
    const beside = {
      readBeside: project.beside(path),
      explainMissing: explainMissing(path, project),
      packages,
    };
    const file = await readTestFile(project.text(path) ?? '', path, beside);
    const accepts = nameFilter(filter);
    return planTests(file, project).filter(({ test }) => accepts(test.name));
  } catch (error) {
    throw engineMissing(error);
  }
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
  readonly coverage: ReturnType<typeof openCoverage> | undefined;
  readonly packages?: string | undefined;
  readonly inspect?: Inspect | undefined;
}

/**
 * Runs tests: each job has a warehouse of its own, and takes the next test until none is left. A test whose fixtures
 * are wrong has problems instead of a result.
 */
export async function runPlanned(
  planned: readonly PlannedTest[],
  { jobs, project, settingOf, coverage, packages, inspect }: PlannedRun,
): Promise<ReadonlyMap<PlannedTest, TestResult | FileProblems>> {
  const results = new Map<PlannedTest, TestResult | FileProblems>();
  const waiting = planned.values();
  const look: Inspect = async (run, differences) => {
    coverage?.add(run);
    await inspect?.(run, differences);
  };
  const job = async () => {
    await using warehouse = await openTestWarehouse(project, packages);
    for (const test of waiting) {
      const setting = settingOf(test);
      setting.signal.throwIfAborted();
      try {
        results.set(test, await runTest(test, warehouse, setting, look));
      } catch (error) {
        if (!(error instanceof FileProblems)) throw error;
        results.set(test, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, planned.length) }, job));
  return results;
}

/** Throws Failure 'engine-missing' without the optional package. */
export async function openTestWarehouse(
  { kind }: Pick<TestProject, 'kind'>,
  packages?: string,
  open = openWarehouse,
): Promise<Warehouse> {
  try {
    return await open({ kind, memoryLimit, packages });
  } catch (error) {
    throw engineMissing(error);
  }
}

/** The failure that explains that embedded DuckDB cannot be loaded; any other error as it is. */
function engineMissing(error: unknown): unknown {
  return error instanceof WarehouseUnavailable
    ? new Failure('engine-missing', { message: `${error.message}.`, cause: error })
    : error;
}

/** What is wrong with the name of a file that is not there, as a file of the project writes it. */
function explainMissing(file: string, { paths }: Pick<TestProject, 'paths'>) {
  const folder = posix.dirname(file);
  return (name: string): string => {
    const target = posix.join(folder, name);
    if (target.startsWith('../')) return `the file "${name}" is outside of the project`;
    const others = paths.filter((other) => posix.extname(other) === posix.extname(name));
    const sameName = others.find((other) => posix.basename(other) === posix.basename(name));
    const meant = sameName ?? closestWord(target, others);
    const hint = meant === undefined ? '' : `; ${didYouMean(name, posix.relative(folder, meant))}`;
    return `the file "${target}" does not exist in the project${hint}`;
  };
}
