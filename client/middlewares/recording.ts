import type { AttemptEnd } from '../attempt.ts';
import type { AttemptContext, AttemptRequest, Middleware } from '../middleware.ts';

/** One attempt as plain data, without secrets: fit to be written down as a line of JSON. */
export interface RecordedAttempt {
  readonly operation: string;
  readonly attempt: number;
  readonly requestId: string | undefined;
  readonly request: AttemptRequest;
  readonly end: AttemptEnd;
}

/** Hands each attempt to `keep` when it has ended; what was uploaded is kept as its length only. */
export function recording(keep: (attempt: RecordedAttempt) => void): Middleware {
  return async (request, next, context: AttemptContext) => {
    const end = await next(request);
    const { operation, attempt, requestId } = context;
    keep({ operation, attempt, requestId, request: { ...request }, end: plain(end) });
    return end;
  };
}

/** Without getters, which would keep the unmasked text alive for as long as the record. */
function plain(end: AttemptEnd): AttemptEnd {
  return end.kind === 'answered' ? { ...end, answer: { ...end.answer } } : end;
}
