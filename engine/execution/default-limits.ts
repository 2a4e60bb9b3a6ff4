import type { ExecutionLimits } from './execution-request.ts';

/** Above the needs of any real project, and low enough for the machine. */
export const defaultLimits: ExecutionLimits = {
  depth: 30,
  steps: 10_000,
  repeats: 100,
  iterations: 1_000,
  keptSteps: 1_000,
};
