import type { Python } from '../../../engine/index.ts';
import { type StoredReads, storeReads, withReads } from '../cache/stored-reads.ts';
import { type Reads, traceReads } from '../files/trace-reads.ts';
import type { TestRun } from '../compare/test-run.ts';
import type { TestSetting } from './run-test.ts';

/** What a test read, as JSON data. */
export interface TestTrace {
  readonly reads: StoredReads;
  /** A script can read anything. */
  readonly hasRunPython: boolean;
  /** Paths of the pipelines that were to run. */
  readonly called: readonly string[];
  /** The components that ran, each after its pipeline. */
  readonly ran: readonly (readonly [pipeline: string, component: string])[];
}

/** A setting that records what its test reads. */
export interface TracedSetting {
  readonly setting: TestSetting;
  /** Notes what ran. */
  see(run: Pick<TestRun, 'called' | 'state'>): void;
  /** What was read so far. */
  trace(): TestTrace;
}

/** @param shared what the tests of the file read together: fixtures are read with the file or later */
export function tracedSetting(common: TestSetting, shared: Reads): TracedSetting {
  const { project, declared, reads } = traceReads(common.project, common.declared);
  let hasRunPython = false;
  let reached: Pick<TestTrace, 'called' | 'ran'> = { called: [], ran: [] };
  const noted = (python: Python): Python => ({
    run(job, signal) {
      hasRunPython = true;
      return python.run(job, signal);
    },
  });
  return {
    setting: { ...common, project, declared, python: common.python && noted(common.python) },
    see({ called, state }) {
      const ran = state.steps.filter(({ status }) => status !== 'SKIPPED');
      const keys = new Map(
        ran.map(({ pipeline, component }) => [
          JSON.stringify([pipeline, component]),
          [pipeline, component] as const,
        ]),
      );
      reached = { called, ran: [...keys.values()] };
    },
    trace: () => ({ reads: withReads(storeReads(shared), storeReads(reads)), hasRunPython, ...reached }),
  };
}
