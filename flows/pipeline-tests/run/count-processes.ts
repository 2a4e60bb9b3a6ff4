import { writeRecipe } from '../files/reopen-project.ts';
import type { TestProject } from '../files/test-project.ts';
import type { JobSetting } from './job-messages.ts';
import type { Inspect } from './run-test.ts';
import type { TestContext } from './test-context.ts';

/** More tests at the same time in one process do not help: they share its JavaScript thread. */
const maxPerProcess = 4;

/** Fewer tests than this are not worth the start of a process (decision 036 has the figures). */
const testsPerProcess = 50;

/** Scripts that may run at the same time, in all processes together: the limit of the engine for one process. */
const maxScripts = 4;

interface ProcessNeeds {
  readonly jobs: number;
  readonly project: Pick<TestProject, 'recipe'>;
  readonly inspect?: Inspect | undefined;
}

/**
 * How many processes run this many tests, including the command's own: at most one for each job, and one for every
 * 50 tests. Only one process if a caller inspects each run, or if another process cannot open the project.
 */
export function countProcesses(
  tests: number,
  { jobs, project, inspect }: ProcessNeeds,
  { python }: Pick<TestContext, 'python'>,
): number {
  if (inspect !== undefined || project.recipe === undefined) return 1;
  const most = python === undefined ? jobs : Math.min(jobs, maxScripts);
  return Math.max(1, Math.min(most, Math.floor(tests / testsPerProcess)));
}

/** The permission for Python components in each process: how many scripts each may run at the same time. */
export function sharedPython(python: TestContext['python'], processes: number): TestContext['python'] {
  const scripts = Math.max(1, Math.floor(maxScripts / processes));
  return python && { ...python, limits: { ...python.limits, scripts } };
}

/** How many tests run at the same time in each process. */
export function atOnceInEach(
  processes: number,
  { jobs, tests }: { readonly jobs: number; readonly tests: number },
): number {
  return Math.min(maxPerProcess, Math.ceil(Math.min(jobs, tests) / processes));
}

/** The settings for each of the other processes. */
export function jobSettings(
  processes: number,
  {
    project: { recipe },
    python,
    packages,
    atOnce,
    withCoverage = false,
    withTraces = false,
  }: Pick<JobSetting, 'packages' | 'atOnce'> &
    Partial<Pick<JobSetting, 'withCoverage' | 'withTraces'>> & {
      readonly project: Pick<TestProject, 'recipe'>;
      readonly python: TestContext['python'];
    },
): readonly JobSetting[] {
  if (recipe === undefined) return [];
  const setting = {
    project: writeRecipe(recipe),
    // Time is the machine's there.
    python: python && { ...python, clock: undefined },
    packages,
    atOnce,
    withCoverage,
    withTraces,
  };
  return Array.from({ length: processes - 1 }, () => setting);
}
