import type { AttemptEnd } from '../attempt.ts';
import type { AttemptRequest, Middleware } from '../middleware.ts';

/** One attempt without secrets, fit to be written down as a line of JSON; texts are masked when they are read. */
export interface RecordedAttempt {
  readonly operation: string;
  readonly attempt: number;
  readonly requestId: string | undefined;
  readonly request: AttemptRequest;
  readonly end: AttemptEnd;
}

/** Hands each attempt to `keep` when it has ended; what was uploaded is kept as its length only. */
export function recording(keep: (attempt: RecordedAttempt) => void): Middleware {
  return async (request, next, { operation, attempt, requestId }) => {
    const end = await next(request);
    keep({ operation, attempt, requestId, request, end });
    return end;
  };
}
