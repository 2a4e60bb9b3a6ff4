import type { showMetrics } from '../../../worker/web/show-metrics.ts';

/** Canaries of a worker whose queues have worked just now. */
export const noJobs: Parameters<typeof showMetrics>[1] = {
  worker: 'w',
  worked: () => undefined,
  age: () => 0,
  stuck: () => [],
  ask: async () => undefined,
};
