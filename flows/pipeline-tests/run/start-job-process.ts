import nodeModule from 'node:module';
import process from 'node:process';
import type { JobAnswer, JobOrder } from './job-messages.ts';

/**
 * Starts a process that runs tests for another process (decision 036). Its argument is the folder of Node's compile
 * cache.
 */
export async function startJobProcess(cache = process.argv[2]): Promise<void> {
  if (cache !== undefined) nodeModule.enableCompileCache(cache);
  // The terminal sends Ctrl-C to both processes. The process of the command decides what it means, and this one ends with it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const early: JobOrder[] = [];
  let order = (given: JobOrder): void => void early.push(given);
  process.on('message', (message) => order(message as JobOrder));
  process.on('disconnect', () => order({ kind: 'cancel' }));
  const { openJob } = await import('./serve-job.ts');
  const job = openJob((answer: JobAnswer) => void (process.connected && process.send?.(answer)));
  order = job.order;
  for (const given of early) order(given);
  await job.ended;
}
