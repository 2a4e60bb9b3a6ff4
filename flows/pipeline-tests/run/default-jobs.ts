import { availableParallelism, totalmem } from 'node:os';
import process from 'node:process';

/** In bytes: a job takes about 300 MB, and a statement of its test up to 1 GB. */
const memoryOfJob = 1024 ** 3;

/** How many tests run at the same time by default: one for each processor, but at most one for each GiB of memory. */
export const defaultJobs = jobsOf({ processors: availableParallelism(), memory: memoryHere() });

/**
 * The default number of jobs for work in one process. More jobs do not help, because the statements of all tests
 * share the machine's memory.
 */
export const defaultJobsInOneProcess = Math.min(4, availableParallelism());

/**
 * The number of jobs for a number of processors and a size of memory.
 * @param memory in bytes
 */
export function jobsOf({
  processors,
  memory,
}: {
  readonly processors: number;
  readonly memory: number;
}): number {
  return Math.max(1, Math.min(processors, Math.floor(memory / memoryOfJob)));
}

/** In bytes: the limit of this process, for example in a container, or else the memory of the machine. */
function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
