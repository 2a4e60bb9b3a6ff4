import type { AttemptEnd } from '../transport/attempt.ts';
import type { AttemptRequest, Middleware } from '../transport/middleware.ts';

/** One attempt without secrets, which can be written as a line of JSON; texts are masked when they are read. */
export interface RecordedAttempt {
  readonly operation: string;
  readonly attempt: number;
  readonly requestId: string | undefined;
  readonly request: AttemptRequest;
  readonly end: AttemptEnd;
}

/** Passes each attempt to `keep` when it has ended; of an upload only the length is kept. */
export function recording(keep: (attempt: RecordedAttempt) => void): Middleware {
  return async (request, next, { operation, attempt, requestId }) => {
    const end = await next(request);
    keep({ operation, attempt, requestId, request, end });
    return end;
  };
}
