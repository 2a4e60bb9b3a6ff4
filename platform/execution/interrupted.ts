import { type ExecutionState, isTerminal } from './execution-state.ts';

/**
 * What becomes of a stored execution when the platform starts again: a walk does not survive its process, so one that
 * had not ended is FAILED, and its running steps CANCELLED. One that had ended is returned as it is.
 */
export function interrupted(state: ExecutionState, now: number): ExecutionState {
  if (isTerminal(state.status)) return state;
  const finishedAt = new Date(now).toISOString();
  return {
    ...state,
    status: 'FAILED',
    message: 'The local platform was stopped while this simulated execution was running; start it again.',
    finishedAt,
    steps: state.steps.map((step) =>
      step.status === 'RUNNING' ? { ...step, status: 'CANCELLED', finishedAt } : step,
    ),
  };
}
