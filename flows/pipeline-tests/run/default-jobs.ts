import { availableParallelism } from 'node:os';

/** How many tests run at the same time by default. More do not help: the statements of all tests share the memory of the machine. */
export const defaultJobs = Math.min(4, availableParallelism());
