/** The state of an execution, independent of how a deployment names it. */
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
 * Classifies the status of an execution. The specification only shows `RUNNING` (§2.7). An unknown status counts as
 * running, or, if `finishedAt` is set, as failed (unknowns §2). Case is ignored.
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

/** Whether the execution still waits for a runner. */
export function isQueued({ status, startedAt }: Status): boolean {
  return status.toUpperCase() === 'QUEUED' && !startedAt;
}

/** Whether the platform refused to run the execution, so that it never started (unknowns §2). */
export function isForbidden(result: Status | undefined): boolean {
  return result?.status.toUpperCase() === 'FORBIDDEN';
}

/** The message that an execution stayed queued until its time limit. `message`: the platform's message. */
export function notStartedInTime(name: string, message: string | null | undefined): string {
  const reason = message ? ` (${message.replace(/\.$/u, '')})` : '';
  return `${name} was still queued at its time limit, because no runner of the platform started it${reason}`;
}
