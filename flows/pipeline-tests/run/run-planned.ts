import { FileProblems } from '../../../engine/index.ts';
import type { TestRun } from '../compare/test-run.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { TestProject } from '../files/test-project.ts';
import { atOnceInEach, jobSettings } from './count-processes.ts';
import { type CoverageRecorder, reachedBy } from './coverage.ts';
import { decodeResult } from './encode-result.ts';
import { openTestWarehouse } from './open-test-warehouse.ts';
import { runInProcess } from './run-in-process.ts';
import { type Inspect, runTest, type TestSetting } from './run-test.ts';
import type { TestContext } from './test-context.ts';
import { openQueue } from './test-queue.ts';
import type { EndedTest } from './test-report.ts';
import { together } from './together.ts';
import type { TestTrace } from './traced-setting.ts';

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
 * Runs tests. Each job has its own warehouse and takes the next test until none is left. A test with invalid
 * fixtures has problems instead of a result. Throws as `runInProcess` does.
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
  const look: Inspect = async (run, differences) => {
    coverage?.add(reachedBy(run));
    onRun?.(run.planned, run);
    await inspect?.(run, differences);
  };
  const job = (signal: AbortSignal) => async () => {
    await using warehouse = await openTestWarehouse(project, packages);
    for (let test = queue.take(); test !== undefined; test = queue.take()) {
      const setting = settingOf(test);
      setting.signal.throwIfAborted();
      signal.throwIfAborted();
      try {
        results.set(test, await runTest(test, warehouse, setting, look));
      } catch (error) {
        if (!(error instanceof FileProblems)) throw error;
        results.set(test, error);
      }
    }
  };
  const atOnce = atOnceInEach(processes, { jobs, tests: planned.length });
  const others = jobSettings(processes, {
    project,
    python,
    packages,
    atOnce,
    withCoverage: coverage !== undefined,
    withTraces: onTrace !== undefined,
  });
  const [first] = planned;
  const cancel = first === undefined ? new AbortController().signal : settingOf(first).signal;
  await together(cancel, (signal) => [
    ...Array.from({ length: atOnce }, () => job(signal)),
    ...others.map(
      (setting) => () =>
        runInProcess(queue, {
          setting,
          signal,
          onEnded(test, { result, problems, reached, usesCallRoot, trace }) {
            if (usesCallRoot === true) project.roots.found();
            if (trace !== undefined) onTrace?.(test, trace);
            if (reached !== undefined) coverage?.add(reached);
            results.set(test, result === undefined ? new FileProblems(problems ?? []) : decodeResult(result));
          },
        }),
    ),
  ]);
  return results;
}
