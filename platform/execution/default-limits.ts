import type { ExecutionLimits } from './execution-request.ts';

/** Above what any real project does, below what hurts the machine. */
export const defaultLimits: ExecutionLimits = {
  depth: 30,
  steps: 10_000,
  repeats: 100,
  iterations: 1_000,
  keptSteps: 1_000,
};
