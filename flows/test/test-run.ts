import type { Execution, ExecutionState, Warehouse } from '../../engine/index.ts';
import type { PlannedTest } from './planned-test.ts';
import type { TestProject } from './test-project.ts';

/** What one test did. */
export interface TestRun {
  readonly planned: PlannedTest;
  readonly state: ExecutionState;
  readonly isTimedOut: boolean;
  readonly variables: ReturnType<Execution['variables']>;
  readonly warehouse: Warehouse;
  readonly project: TestProject;
}
