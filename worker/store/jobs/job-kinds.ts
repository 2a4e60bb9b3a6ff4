/** The queues by the work of their jobs. A job contains only ids: queue data is clear text in Redis. */
export const queueNames = { ingest: 'ingest', promotion: 'promotion', report: 'report' } as const;

export type QueueName = (typeof queueNames)[keyof typeof queueNames];

/** The kinds of jobs in each queue, and the newest format of their data that this version understands. */
const kinds: Readonly<Record<QueueName, { readonly names: readonly string[]; readonly form: number }>> = {
  ingest: { names: ['push', 'comment', 'check'], form: 1 },
  promotion: { names: ['advance'], form: 1 },
  report: { names: ['report'], form: 1 },
};

/** The id of the only job that advances a promotion. */
export const advanceJobId = (promotionId: string): string => `r-${promotionId}`;

/** A job that only checks whether a queue of a worker works. */
export const canaryName = 'canary';
export const canaryId = (worker: string): string => `c-${worker}`;

/**
 * Whether this version knows a job. While workers of two versions run side by side, the older one must leave
 * unknown jobs to the newer: completing them would lose them. A format above 1 is in the data as `form`.
 */
export function isKnown(queue: QueueName, job: { readonly name: string; readonly data: unknown }): boolean {
  const { names, form } = kinds[queue];
  return names.includes(job.name) && formOf(job.data) <= form;
}

function formOf(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('form' in data)) return 1;
  return typeof data.form === 'number' ? data.form : Infinity;
}
