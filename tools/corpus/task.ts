import type { PipelineOutcome } from '../../cli/tests/init-summary.ts';
import type { Reason } from './reasons.ts';

/** A task for the process of a project: writes the first test of a pipeline, or runs the tests of a file. */
export type Task =
  { readonly kind: 'init'; readonly pipeline: string } | { readonly kind: 'test'; readonly file: string };

/** How many tests of a file ended how; `wrong` counts files that could not be read or did not fit their pipeline. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly refused: number;
  readonly wrong: number;
}

/** The result of a task, with its time. */
export interface Answer {
  readonly status: PipelineOutcome | 'ran' | 'crashed' | 'time-limit';
  readonly tests?: TestCounts;
  readonly reasons: readonly Reason[];
  readonly seconds: number;
  /** CPU time of all threads; 0 of a process that was ended. */
  readonly cpuSeconds: number;
}
