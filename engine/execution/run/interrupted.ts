import { type ExecutionState, isTerminal } from './execution-state.ts';

/**
 * The state of a stored execution after a restart of the platform. An execution does not survive the process, so one
 * that had not ended becomes FAILED, and its running steps CANCELLED. An ended one is returned unchanged.
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
