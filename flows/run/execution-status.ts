/** The state of an execution, independent of the deployment's status values. */
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
 * Classifies a status. The specification shows only `RUNNING` (§2.7). An unknown status counts as running unless
 * `finishedAt` is set; then it counts as failed (unknowns §2). Case is ignored.
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

interface Status {
  readonly status: string;
  readonly startedAt?: string | null | undefined;
}

/** Whether no runner has started the execution yet. */
export function isQueued({ status, startedAt }: Status): boolean {
  return status.toUpperCase() === 'QUEUED' && !startedAt;
}

/** Whether the platform refused to run the execution, so that it never started (unknowns §2). */
export function isForbidden(result: Status | undefined): boolean {
  return result?.status.toUpperCase() === 'FORBIDDEN';
}

/** Says that an execution was queued until its time limit; `message` is the platform's. */
export function notStartedInTime(name: string, message: string | null | undefined): string {
  const reason = message ? ` (${message.replace(/\.$/u, '')})` : '';
  return `${name} was still queued at its time limit, because no runner of the platform started it${reason}`;
}
