import type { Python } from '../../../engine/index.ts';
import type { TestResult } from '../compare/test-result.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { TestProject } from '../files/test-project.ts';
import { type Reads, traceReads } from '../files/trace-reads.ts';
import type { TestSetting } from './run-test.ts';
import { storeReads, type StoredReads } from '../cache/stored-reads.ts';
import type { CachedFile, KnownTests, TestCache } from '../cache/test-cache.ts';

/** The tests of one file: results that are known, and tests that are to run. */
export interface PlannedFile {
  readonly tests: readonly (TestResult | PlannedTest)[];
  /** What a test runs with. */
  settingOf(test: PlannedTest): TestSetting;
  /** Keeps the results of tests that passed. */
  keep(resultOf: (test: PlannedTest) => TestResult | undefined): void;
}

export interface PlanRequest {
  readonly setting: TestSetting;
  readonly cache: TestCache;
  /** Whether a test of this name is to run. */
  readonly accepts: (name: string) => boolean;
  /** The tests of the file that are to run. Throws FileProblems. */
  readonly plan: (project: TestProject) => Promise<readonly PlannedTest[]>;
}

/** Plans the tests of a file without those whose results are known. Throws what `plan` throws. */
export async function planWithCache(file: string, request: PlanRequest): Promise<PlannedFile> {
  const { cache, accepts, setting } = request;
  const known = cache.find(file);
  const wanted = known?.names.flatMap((name, index) => (accepts(name) ? [index] : []));
  const results = wanted?.map((index) => known?.passed.get(index));
  if (results?.every((result) => result !== undefined) === true && results.length > 0)
    return { tests: results, settingOf: () => setting, keep: () => undefined };
  return await planRest(file, request, known);
}

/** What one test read. */
interface Trace {
  readonly reads: Reads;
  readonly setting: TestSetting;
  hasRunPython: boolean;
}

async function planRest(
  file: string,
  { setting, cache, plan }: PlanRequest,
  known: KnownTests | undefined,
): Promise<PlannedFile> {
  const forAll = traceReads(setting.project, setting.declared);
  const planned = await plan(forAll.project);
  const indexOf = ({ file: { tests }, test }: PlannedTest) => tests.indexOf(test);
  const traces = new Map<PlannedTest, Trace>();
  const tests = planned.map((test) => {
    const result = known?.passed.get(indexOf(test));
    if (result === undefined) traces.set(test, traceOf(setting));
    return result ?? test;
  });
  return {
    tests,
    settingOf: (test) => traces.get(test)?.setting ?? setting,
    keep(resultOf) {
      const ran = Array.from(traces, ([test, { reads, hasRunPython }]): CachedFile['passed'] => {
        const result = resultOf(test);
        if (result?.status !== 'passed' || hasRunPython) return [];
        const { line, name, pipeline, durationMs } = result;
        return [{ index: indexOf(test), reads: storeReads(reads), line, name, pipeline, durationMs }];
      }).flat();
      const [first] = planned;
      if (ran.length === 0 || first === undefined) return;
      const reads = storeReads(forAll.reads);
      cache.keep(file, {
        // A test that did not run has read its fixtures before: they count as well.
        reads: known === undefined ? reads : withReads(known.reads, reads),
        names: first.file.tests.map(({ name }) => name),
        passed: [...(known?.entries ?? []), ...ran],
      });
    },
  };
}

function traceOf(common: TestSetting): Trace {
  const { project, declared, reads } = traceReads(common.project, common.declared);
  const trace: Trace = {
    reads,
    setting: { ...common, project, declared, python: common.python && noted(common.python) },
    hasRunPython: false,
  };
  return trace;

  /** A script can read anything, so that the result of its test is not kept. */
  function noted(python: Python): Python {
    return {
      run(job, signal) {
        trace.hasRunPython = true;
        return python.run(job, signal);
      },
    };
  }
}

/** Both, which have the same answers to the same questions. */
function withReads(known: StoredReads, others: StoredReads): StoredReads {
  const both = (kind: Exclude<keyof StoredReads, 'project'>) => [
    ...new Map([...known[kind], ...others[kind]]),
  ];
  return {
    project: others.project,
    texts: both('texts'),
    sizes: both('sizes'),
    digests: both('digests'),
    presence: both('presence'),
    mentions: both('mentions'),
    declared: both('declared'),
  };
}
