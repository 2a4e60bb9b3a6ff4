import { Worker } from 'node:worker_threads';

/**
 * Has a module work in a thread of its own, and gives what it posts: work of many seconds in this thread would hold up
 * the platform and the GitHub of the trials beside it. Rejects with what the module throws.
 */
export async function inThread<T>(module: URL, data: unknown): Promise<T> {
  const thread = new Worker(module, { workerData: data });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('the thread ended without an answer')));
  try {
    return await promise;
  } finally {
    await thread.terminate();
  }
}
