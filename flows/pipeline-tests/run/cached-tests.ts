import type { CachedFile, TestCache } from '../cache/test-cache.ts';
import { storeReads } from '../cache/stored-reads.ts';
import type { TestResult } from '../compare/test-result.ts';
import { findComponent, type PlannedTest } from '../files/planned-test.ts';
import type { TestRun } from '../compare/test-run.ts';
import type { TestProject } from '../files/test-project.ts';
import { traceReads } from '../files/trace-reads.ts';
import { keyOf, type Reached } from './coverage.ts';
import type { TestSetting } from './run-test.ts';
import { type TestTrace, type TracedSetting, tracedSetting } from './traced-setting.ts';

/** A test that need not run, because its result is in the cache. */
export interface KnownTest {
  readonly result: TestResult;
  readonly reached: Reached;
}

/** The tests of one file, planned. */
export interface PlannedFile {
  readonly tests: readonly PlannedTest[];
  /** The results of tests that need not run. */
  readonly known: ReadonlyMap<PlannedTest, KnownTest>;
  /** What a test runs with here. */
  settingOf(test: PlannedTest, common: TestSetting): TestSetting;
  /** Notes what ran in a test here. */
  see(test: PlannedTest, run: TestRun): void;
  /** Notes what a test read that ran elsewhere. */
  note(test: PlannedTest, trace: TestTrace): void;
  /** Keeps the results of tests that passed. */
  keep(resultOf: (test: PlannedTest) => TestResult | undefined): void;
}

export interface PlanRequest {
  readonly setting: TestSetting;
  readonly cache: TestCache;
  /** The tests of the file. Throws FileProblems. */
  readonly plan: (project: TestProject) => Promise<readonly PlannedTest[]>;
}

/** Plans all tests of a file, and stores no result. */
export function withoutCache(tests: PlannedFile['tests']): PlannedFile {
  return {
    tests,
    known: new Map(),
    settingOf: (_, common) => common,
    see: () => undefined,
    note: () => undefined,
    keep: () => undefined,
  };
}

/** Plans the tests of a file, using results from the cache. Throws what `plan` throws. */
export async function planWithCache(
  file: string,
  { setting, cache, plan }: PlanRequest,
): Promise<PlannedFile> {
  const kept = cache.find(file);
  const shared = traceReads(setting.project, setting.declared);
  const planned = await plan(shared.project);
  const reads = storeReads(shared.reads);
  const indexOf = ({ file: { tests }, test }: PlannedTest) => tests.indexOf(test);
  const here = new Map<PlannedTest, TracedSetting>();
  const elsewhere = new Map<PlannedTest, TestTrace>();
  return {
    tests: planned,
    known: new Map(
      planned.flatMap((test) => {
        const entry = kept?.entries.find(({ index }) => index === indexOf(test));
        const result = kept?.passed.get(indexOf(test));
        return entry === undefined || result === undefined
          ? []
          : [[test, { result, reached: entry.reached }] as const];
      }),
    ),
    settingOf(test, common) {
      const traced = tracedSetting(common, shared.reads);
      here.set(test, traced);
      return traced.setting;
    },
    see: (test, run) => here.get(test)?.see(run),
    note: (test, trace) => void elsewhere.set(test, trace),
    keep(resultOf) {
      const ran = planned.flatMap((test): CachedFile['passed'] => {
        const [result, trace] = [resultOf(test), elsewhere.get(test) ?? here.get(test)?.trace()];
        if (result?.status !== 'passed' || trace === undefined || trace.hasRunPython) return [];
        const { line, name, pipeline, durationMs } = result;
        const { reads: read, called, reached } = trace;
        const index = indexOf(test);
        const mocked = mockedKeys(test, setting.project);
        return [{ index, reads: read, called, mocked, reached, line, name, pipeline, durationMs }];
      });
      const [first] = planned;
      if (ran.length === 0 || first === undefined) return;
      cache.keep(file, {
        reads,
        names: first.file.tests.map(({ name }) => name),
        passed: [...(kept?.entries ?? []), ...ran],
      });
    },
  };
}

/** The components that have a mock in a test, as keys. */
function mockedKeys({ test, document }: PlannedTest, project: TestProject): readonly string[] {
  return test.mocks.flatMap(({ name }) => {
    const target = findComponent(name.text, document, project);
    return target === undefined ? [] : [keyOf(target.path, target.component)];
  });
}
