import { type ExecutionState, isTerminal } from './execution-state.ts';

/**
 * The state of a stored execution after the platform was restarted. An execution cannot outlive the process of the
 * platform, so an execution that was still running becomes FAILED, and its running steps become CANCELLED. An
 * execution that had already ended is returned unchanged.
 */
export function interrupted(state: ExecutionState, now: number): ExecutionState {
  if (isTerminal(state.status)) return state;
  const finishedAt = new Date(now).toISOString();
  return {
    ...state,
    status: 'FAILED',
    message: 'The local platform stopped while this execution was running. Start the execution again.',
    finishedAt,
    steps: state.steps.map((step) =>
      step.status === 'RUNNING' ? { ...step, status: 'CANCELLED', finishedAt } : step,
    ),
  };
}
