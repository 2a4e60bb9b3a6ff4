import { parentPort, workerData } from 'node:worker_threads';
import { parseBody } from './parse-body.ts';
import { prune } from './prune.ts';

// Runs in the thread of parseBodyAside. The answer is pruned, because the waiting thread copies it.
const body = parseBody(workerData as Uint8Array);
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(body === undefined ? undefined : { ...body, parsed: prune(body.parsed) });
