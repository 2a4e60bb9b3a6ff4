import type { Place } from '../../core/refusal.ts';
import type { MockFault } from '../../orchestration/mocks/mock.ts';

/**
 * The statuses of an execution (spec §3.2, unknowns §2). The last four are final. `FORBIDDEN` means that the
 * execution was not allowed to start.
 */
export type ExecutionStatus =
  'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'FORBIDDEN';

/**
 * The status of a step, which is one run of a component. `SKIPPED` means that the component does nothing by design,
 * or that it is an `and` that did not receive all its inputs.
 */
export type StepStatus = 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'SKIPPED';

/** The iteration of an iterator to which a step belongs. */
export interface StepIteration {
  /** The name of the iterator. */
  readonly iterator: string;
  /** The number of the iteration. The first iteration is 1. */
  readonly index: number;
  /** The variables that the iteration sets, and their values. */
  readonly variables: Readonly<Record<string, string>>;
}

/** One run of a component, as the inspector of the platform shows it. */
export interface ExecutionStep {
  /** The number of the step in the order of the starts. The first step is 1. */
  readonly number: number;
  /** The number of the step that called the pipeline or repeated the component. Null at the top level. */
  readonly parent: number | null;
  /** The path of the pipeline file. */
  readonly pipeline: string;
  /** The name of the component: its key in the file. */
  readonly component: string;
  readonly type: string;
  readonly status: StepStatus;
  /** The time of the start in ISO 8601, by the injected clock. */
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly iteration: StepIteration | null;
  /** The result of the component, or the reason of its failure. Empty while the component runs. */
  readonly message: string;
  /** The number of rows that the component read from tables and queries, if they were counted. */
  readonly rowsRead?: number | undefined;
  /** The number of rows that the component wrote. */
  readonly rowsWritten?: number | undefined;
  /** The SQL that ran in DuckDB, for display. A long text is cut. */
  readonly sql?: readonly string[] | undefined;
  /**
   * The tables and views that the SQL changed or created, by their names in that SQL, in the order of their last
   * change. Includes tables of SQL that is cut in `sql`.
   */
  readonly changed?: readonly string[] | undefined;
  /** For a failed step, the SQL that failed, as the user wrote it. A long text is cut. */
  readonly written?: string | undefined;
  /** Facts that the user should know, but that did not make the component fail. */
  readonly notices?: readonly string[] | undefined;
}

/**
 * The component that made an execution fail. It is the first component that failed, even if a branch handled the
 * failure and then ended in `end-failure`.
 */
export interface FailedComponent {
  /** The path of the component's pipeline file. */
  readonly pipeline: string;
  readonly component: string;
  /** The reason of the failure. */
  readonly message: string;
  /** The position of the failure in the files of the project. `message` begins with it too. */
  readonly place?: Place | undefined;
  /** The SQL that failed, if the failure is about SQL. */
  readonly sql?: FailedSql | undefined;
  /** What the engine refused, if the component failed for that reason. */
  readonly refusal?: RefusedConstruct | undefined;
  /** The mistake in the component's mock, if the component failed because of it. */
  readonly mockFault?: MockFault | undefined;
}

/** The SQL that failed. A long text is cut. */
export interface FailedSql {
  /**
   * The SQL as the user wrote it, with the values of variables inserted. Undefined if the SQL was generated for the
   * type of the component.
   */
  readonly written: string | undefined;
  /** The SQL that the engine ran in DuckDB. Undefined if the SQL could not be translated. */
  readonly ran: string | undefined;
}

/** Something in a pipeline that the engine does not support, as plain data. */
export interface RefusedConstruct {
  /** What is not supported, as the user wrote it. */
  readonly construct: string;
  readonly place: Place | undefined;
  /** What to do instead. Undefined if there is no advice. */
  readonly hint: string | undefined;
}

/** The state of an execution as plain JSON data. A state that was returned does not change later. */
export interface ExecutionState {
  readonly id: string;
  /** The pipeline as it was requested, with or without its suffix. */
  readonly pipeline: string;
  readonly environment: string;
  readonly status: ExecutionStatus;
  /** A sentence about the execution, which also says if it was simulated. */
  readonly message: string;
  /**
   * The time of the start in ISO 8601. Null while the execution is queued, or if it was cancelled before it started.
   */
  readonly startedAt: string | null;
  /** The time of the end in ISO 8601. Null until the status is final. */
  readonly finishedAt: string | null;
  /** The component that made the execution FAIL. Left out if no component did. */
  readonly failed?: FailedComponent | undefined;
  /** The newest steps, in the order in which they started. */
  readonly steps: readonly ExecutionStep[];
  /** The number of older steps that were dropped from `steps`. */
  readonly droppedSteps: number;
}

const terminal: ReadonlySet<ExecutionStatus> = new Set(['SUCCESS', 'FAILED', 'CANCELLED', 'FORBIDDEN']);

/** Whether an execution has ended. Its tag can be used again only after that (spec §4.4 rule 2). */
export function isTerminal(status: ExecutionStatus): boolean {
  return terminal.has(status);
}
