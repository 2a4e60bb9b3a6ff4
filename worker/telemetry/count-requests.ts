import type { Middleware } from '../../client/index.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

/** Counts each request to the platform, by operation and by result. */
export function countRequests({ platformRequests }: Pick<WorkerMetrics, 'platformRequests'>): Middleware {
  return async (request, next, { operation }) => {
    const end = await next(request);
    platformRequests.inc({
      operation,
      ended: end.kind === 'answered' ? String(end.answer.status) : end.kind,
    });
    return end;
  };
}
