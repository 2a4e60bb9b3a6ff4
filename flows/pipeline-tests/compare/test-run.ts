import type { Execution, ExecutionState, FailedComponent, Warehouse } from '../../../engine/index.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { TestProject } from '../files/test-project.ts';

/** What happened in the run of one test. */
export interface TestRun {
  readonly planned: PlannedTest;
  readonly state: ExecutionState;
  /** Every component that failed, in the order of the failures. */
  readonly failures: readonly FailedComponent[];
  /** Paths of the pipelines that were to run, each once: the tested one first, then those that it called. */
  readonly called: readonly string[];
  readonly isTimedOut: boolean;
  readonly variables: ReturnType<Execution['variables']>;
  readonly warehouse: Warehouse;
  readonly project: TestProject;
}
