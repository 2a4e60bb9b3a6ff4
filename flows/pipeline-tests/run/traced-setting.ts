import type { Python } from '../../../engine/index.ts';
import { type StoredReads, storeReads, withReads } from '../cache/stored-reads.ts';
import { type Reads, traceReads } from '../files/trace-reads.ts';
import type { TestRun } from '../compare/test-run.ts';
import { type Reached, reachedBy } from './coverage.ts';
import type { TestSetting } from './run-test.ts';

/** What a test read, as JSON data. */
export interface TestTrace {
  readonly reads: StoredReads;
  /** Paths of the files whose text the run read, without what was read to plan it. */
  readonly texts: readonly string[];
  /** A script can read anything. */
  readonly hasRunPython: boolean;
  /** Paths of the pipelines that were to run. */
  readonly called: readonly string[];
  readonly reached: Reached;
}

/** A setting that records what its test reads. */
export interface TracedSetting {
  readonly setting: TestSetting;
  /** Notes what ran. */
  see(run: Pick<TestRun, 'called' | 'state' | 'project'>): void;
  /** What was read so far. */
  trace(): TestTrace;
}

/**
 * Wraps the setting of a test so that its reads are recorded.
 * @param shared what the tests of the file read together: fixtures are read with the file or later
 */
export function tracedSetting(common: TestSetting, shared: Reads): TracedSetting {
  const { project, declared, reads } = traceReads(common.project, common.declared);
  let hasRunPython = false;
  let seen: Pick<TestTrace, 'called' | 'reached'> = {
    called: [],
    reached: { pipelines: [], components: [], transitions: [] },
  };
  const noted = (python: Python): Python => ({
    run(job, signal) {
      hasRunPython = true;
      return python.run(job, signal);
    },
  });
  return {
    setting: { ...common, project, declared, python: common.python && noted(common.python) },
    see(run) {
      seen = { called: run.called, reached: reachedBy(run) };
    },
    trace: () => ({
      reads: withReads(storeReads(shared), storeReads(reads)),
      texts: [...reads.texts.keys()],
      hasRunPython,
      ...seen,
    }),
  };
}
