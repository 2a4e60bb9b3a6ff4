import { createHmac, randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { isSignedWith } from '../../../worker/intake/receiver/signature.ts';

// The inside of a thread: how long refusals take that differ in the first or in the last byte.
const { samples } = workerData as { readonly samples: number };
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(timing(samples));

/**
 * Times refusals that differ in the first or in the last byte, in random order; Welch’s t of the two. Each has a body and a
 * header of its own: the same two strings again and again differ by where they are in memory.
 */
function timing(count: number): number {
  const secret = 'a secret of the usual length';
  const body = randomBytes(500);
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < count; i += 1) {
    body.writeUInt32LE(i);
    const kind = Math.random() < 0.5 ? 0 : 1;
    const digest = createHmac('sha256', secret).update(body).digest();
    const at = kind === 0 ? 0 : 31;
    digest[at] = (digest[at] ?? 0) ^ 1;
    const header = `sha256=${digest.toString('hex')}`;
    const startedAt = process.hrtime.bigint();
    isSignedWith(body, header, [secret]);
    times[kind].push(Number(process.hrtime.bigint() - startedAt));
  }
  // Interruptions of the machine have long tails that drown everything else.
  const limit = times.flat().toSorted((a, b) => a - b)[Math.floor(count * 0.9)] ?? 0;
  const [a, b] = times.map((list) => moments(list.filter((ns) => ns <= limit)));
  if (a === undefined || b === undefined) return 0;
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function moments(list: readonly number[]): { mean: number; variance: number; count: number } {
  const mean = list.reduce((sum, ns) => sum + ns, 0) / list.length;
  const variance = list.reduce((sum, ns) => sum + (ns - mean) ** 2, 0) / (list.length - 1);
  return { mean, variance, count: list.length };
}
