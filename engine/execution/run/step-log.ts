import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { ExecutionStep, StepStatus } from './execution-state.ts';

/** The details of a step that are shown in addition to its message. */
export interface StepDetails {
  readonly rowsRead?: number | undefined;
  readonly rowsWritten?: number | undefined;
  readonly sql?: readonly string[] | undefined;
  readonly changed?: readonly string[] | undefined;
  readonly written?: string | undefined;
  readonly notices?: readonly string[] | undefined;
}

/** The most recent steps of an execution, in the order in which they started. */
export interface StepLog {
  begin(step: Pick<ExecutionStep, 'parent' | 'pipeline' | 'component' | 'type' | 'iteration'>): number;
  /** Ends a step. If it is called again for the same step, the later call replaces the earlier one. */
  end(number: number, status: StepStatus, message: string, details?: StepDetails): void;
  steps(): readonly ExecutionStep[];
  dropped(): number;
}

export function openStepLog(clock: Clock, kept: number, changed: () => void): StepLog {
  const steps = new Map<number, ExecutionStep>();
  let last = 0;
  const now = () => new Date(clock.now()).toISOString();

  return {
    begin(step) {
      last += 1;
      steps.set(last, {
        number: last,
        ...step,
        status: 'RUNNING',
        startedAt: now(),
        finishedAt: null,
        message: '',
      });
      if (steps.size > kept) steps.delete(oldest(steps));
      changed();
      return last;
    },
    end(number, status, message, details) {
      const step = steps.get(number);
      if (step === undefined) return;
      // A new object, so that returned states do not change.
      steps.set(number, { ...step, status, message, finishedAt: now(), ...details });
      changed();
    },
    steps: () => [...steps.values()],
    dropped: () => last - steps.size,
  };
}

/** The oldest ended step: a running one, such as the outer pipeline, is kept. */
function oldest(steps: ReadonlyMap<number, ExecutionStep>): number {
  for (const [number, { status }] of steps) if (status !== 'RUNNING') return number;
  const [first = 0] = steps.keys();
  return first;
}
