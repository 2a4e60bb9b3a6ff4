/** How an execution stands, whatever the deployment's list of words is. */
export type ExecutionEnd = 'running' | 'succeeded' | 'cancelled' | 'failed';

const running = new Set(['QUEUED', 'RUNNING', 'CANCELLING']);
const ends = new Map<string, ExecutionEnd>([
  ['SUCCESS', 'succeeded'],
  ['CANCELLED', 'cancelled'],
  ['FAILED', 'failed'],
  ['SKIPPED', 'failed'],
  ['FORBIDDEN', 'failed'],
]);

/**
 * Reads a status. The specification shows only `RUNNING` (§2.7): an unknown word is not the end unless
 * `finishedAt` is set, and then it is no success (unknowns §2). Words are compared without regard to case.
 */
export function readStatus(result: { status: string; finishedAt?: string | null | undefined }): {
  readonly end: ExecutionEnd;
  readonly known: boolean;
} {
  const word = result.status.toUpperCase();
  const end = ends.get(word);
  if (end !== undefined) return { end, known: true };
  if (running.has(word)) return { end: 'running', known: true };
  return { end: result.finishedAt ? 'failed' : 'running', known: false };
}
