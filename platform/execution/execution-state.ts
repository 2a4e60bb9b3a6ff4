/** Statuses that our executions take (spec §3.2, unknowns §2); the last three are terminal. */
export type ExecutionStatus = 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCESS' | 'FAILED' | 'CANCELLED';

/** How one component ended. `SKIPPED` was passed through, or never got all that it waits for (an `and`). */
export type StepStatus = 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'SKIPPED';

/** Which round of which iterator a step belongs to. */
export interface StepIteration {
  /** The iterator's name. */
  readonly iterator: string;
  /** Counts from 1. */
  readonly index: number;
  /** The iteration variables and their values in this round. */
  readonly variables: Readonly<Record<string, string>>;
}

/** One run of one component, for whoever looks inside an execution. */
export interface ExecutionStep {
  /** Counts from 1 in the order of starting. */
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
  /** What happened, or why it failed; empty while it runs. */
  readonly message: string;
}

/** An execution as it stands: plain data that JSON keeps, never changed after it was handed out. */
export interface ExecutionState {
  readonly id: string;
  /** As it was asked for, with or without suffix. */
  readonly pipeline: string;
  readonly environment: string;
  readonly status: ExecutionStatus;
  /** One sentence; says that what happened was simulated. */
  readonly message: string;
  /** ISO 8601; null while it is queued, and for good where it was cancelled before it began. */
  readonly startedAt: string | null;
  /** ISO 8601; set exactly where the status is terminal. */
  readonly finishedAt: string | null;
  /** The newest steps in the order of starting. */
  readonly steps: readonly ExecutionStep[];
  /** How many older steps were dropped to keep the list bounded. */
  readonly droppedSteps: number;
}

const terminal: ReadonlySet<ExecutionStatus> = new Set(['SUCCESS', 'FAILED', 'CANCELLED']);

/** Whether an execution has ended; only then may its tag be used again (spec §4.4 rule 2). */
export function isTerminal(status: ExecutionStatus): boolean {
  return terminal.has(status);
}
