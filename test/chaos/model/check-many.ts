import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { checkHistory, histories } from './histories.ts';

// The inside of a thread: takes many histories through the model alone.
const { count, seed } = workerData as { readonly count: number; readonly seed: number };
fc.assert(fc.property(histories, checkHistory), { numRuns: count, seed });
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(count);
