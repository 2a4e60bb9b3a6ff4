import type { Job } from 'bullmq';

/** The queues by what their jobs do. A job holds ids only: queue data is clear text in Redis. */
export const queueNames = { ingest: 'ingest', promotion: 'promotion', report: 'report' } as const;

export type QueueName = (typeof queueNames)[keyof typeof queueNames];

/** The kinds of work that each queue holds, and the newest form of their data that this version understands. */
const kinds: Readonly<Record<QueueName, { readonly names: readonly string[]; readonly form: number }>> = {
  ingest: { names: ['push', 'comment'], form: 1 },
  promotion: { names: ['advance'], form: 1 },
  report: { names: ['report'], form: 1 },
};

/** A job that only asks whether a queue of a worker works. */
export const canaryName = 'canary';
export const canaryId = (worker: string): string => `c-${worker}`;

/**
 * Whether this version knows what a job is. While workers of two versions run side by side, the older one must leave
 * what it does not know to the newer: completing it would lose it. A form above 1 stands in the data as `form`.
 */
export function isKnown(queue: QueueName, job: Pick<Job<unknown>, 'name' | 'data'>): boolean {
  const { names, form } = kinds[queue];
  return names.includes(job.name) && formOf(job.data) <= form;
}

function formOf(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('form' in data)) return 1;
  return typeof data.form === 'number' ? data.form : Infinity;
}
