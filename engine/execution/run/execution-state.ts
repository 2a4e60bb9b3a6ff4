import type { Place } from '../../core/refusal.ts';
import type { MockFault } from '../../orchestration/mocks/mock.ts';

/**
 * The statuses of an execution (spec §3.2, unknowns §2). The last four are final. `FORBIDDEN` means that it never
 * started.
 */
export type ExecutionStatus =
  'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'FORBIDDEN';

/**
 * The status of one component. `SKIPPED` means that the component does nothing by design, or is an `and` that did
 * not receive all its inputs.
 */
export type StepStatus = 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'SKIPPED';

/** The iteration of an iterator that a step belongs to. */
export interface StepIteration {
  /** The iterator's name. */
  readonly iterator: string;
  /** Counts from 1. */
  readonly index: number;
  /** The iteration variables and their values. */
  readonly variables: Readonly<Record<string, string>>;
}

/** One run of one component, as the inspector of the platform shows it. */
export interface ExecutionStep {
  /** Counts from 1 in start order. */
  readonly number: number;
  /** The step that called the pipeline or repeated the component; null at the top. */
  readonly parent: number | null;
  /** Path of the pipeline file. */
  readonly pipeline: string;
  /** The component's key in the file. */
  readonly component: string;
  readonly type: string;
  readonly status: StepStatus;
  /** ISO 8601, by the injected clock. */
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly iteration: StepIteration | null;
  /** The result, or why it failed; empty while it runs. */
  readonly message: string;
  /** Rows of tables and queries that the component read, if they were counted. */
  readonly rowsRead?: number | undefined;
  /** Rows that the component wrote. */
  readonly rowsWritten?: number | undefined;
  /** DuckDB's SQL that ran, for people to read; long texts are cut. */
  readonly sql?: readonly string[] | undefined;
  /** The tables and views that the SQL changed or created, as it names them, in the order of their last change; also of SQL that is cut. */
  readonly changed?: readonly string[] | undefined;
  /** For a failed step: the SQL that failed, as written; a long text is cut. */
  readonly written?: string | undefined;
  /** Facts that the user should know and that did not fail the component. */
  readonly notices?: readonly string[] | undefined;
}

/**
 * The component that made an execution fail. This is the first one that failed, even if a branch handled the
 * failure and then ended in `end-failure`.
 */
export interface FailedComponent {
  /** Path of its pipeline file. */
  readonly pipeline: string;
  readonly component: string;
  /** Why it failed. */
  readonly message: string;
  /** The place of the failure in the project's files; `message` begins with it too. */
  readonly place?: Place | undefined;
  /** The SQL that failed, if that is why. */
  readonly sql?: FailedSql | undefined;
  /** What the engine refused, if the component failed for that reason. */
  readonly refusal?: RefusedConstruct | undefined;
  /** The fault of the component's mock, if the component failed for that reason. */
  readonly mockFault?: MockFault | undefined;
}

/** The SQL that failed. A long text is cut. */
export interface FailedSql {
  /** As written, with the values of variables; undefined if the component's type made the SQL. */
  readonly written: string | undefined;
  /** What the engine made of it; undefined if it could not be translated. */
  readonly ran: string | undefined;
}

/** Something in a pipeline that the engine does not support, as plain data. */
export interface RefusedConstruct {
  /** As the user wrote it. */
  readonly construct: string;
  readonly place: Place | undefined;
  /** What to do instead. */
  readonly hint: string | undefined;
}

/** The state of an execution as plain JSON data. A returned state is never changed later. */
export interface ExecutionState {
  readonly id: string;
  /** As requested, with or without suffix. */
  readonly pipeline: string;
  readonly environment: string;
  readonly status: ExecutionStatus;
  /** One sentence; says that the execution was simulated. */
  readonly message: string;
  /** ISO 8601; null while it is queued, or if it was cancelled before it started. */
  readonly startedAt: string | null;
  /** ISO 8601; set if and only if the status is terminal. */
  readonly finishedAt: string | null;
  /** Why the execution FAILED, if a component caused it. */
  readonly failed?: FailedComponent | undefined;
  /** The newest steps in start order. */
  readonly steps: readonly ExecutionStep[];
  /** Number of older steps that were dropped. */
  readonly droppedSteps: number;
}

const terminal: ReadonlySet<ExecutionStatus> = new Set(['SUCCESS', 'FAILED', 'CANCELLED', 'FORBIDDEN']);

/** Whether an execution has ended. Only then may its tag be used again (spec §4.4 rule 2). */
export function isTerminal(status: ExecutionStatus): boolean {
  return terminal.has(status);
}
