import type { Clock, Logger } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { Middleware } from '../transport/middleware.ts';

/**
 * Logs one line per attempt: request, end, and duration in milliseconds. A successful end is logged at `level`
 * (default `info`), any other end as a warning.
 */
export function logging(
  logger: Logger,
  { level = 'info', clock = systemClock }: { level?: keyof Logger; clock?: Clock } = {},
): Middleware {
  return async (request, next, { operation, attempt, requestId }) => {
    const startedAt = clock.now();
    const end = await next(request);
    const good = end.kind === 'answered' && end.answer.status < 400;
    logger[good ? level : 'warn'](`${request.method} ${request.url}`, {
      operation,
      attempt,
      requestId,
      ...(end.kind === 'answered' ? { status: end.answer.status } : { ended: end.kind }),
      ...('problem' in end ? { problem: end.problem } : {}),
      ms: clock.now() - startedAt,
    });
    return end;
  };
}
