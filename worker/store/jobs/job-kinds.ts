/** The names of the queues, by the kind of work. Job data contains only ids, because Redis stores it as clear text. */
export const queueNames = { ingest: 'ingest', promotion: 'promotion', report: 'report' } as const;

export type QueueName = (typeof queueNames)[keyof typeof queueNames];

/** The kinds of jobs in each queue, and the newest format of their data that this version understands. */
const kinds: Readonly<Record<QueueName, { readonly names: readonly string[]; readonly form: number }>> = {
  ingest: { names: ['push', 'comment', 'question', 'check'], form: 1 },
  promotion: { names: ['advance'], form: 1 },
  report: { names: ['report'], form: 1 },
};

/** The id of the job that advances a promotion. There is only one. */
export const advanceJobId = (promotionId: string): string => `r-${promotionId}`;

/** The name of a test job that checks whether a queue of a worker works. */
export const canaryName = 'canary';
export const canaryId = (worker: string): string => `c-${worker}`;

/**
 * Whether this version knows the kind of a job. While workers of two versions run side by side, the older version
 * must leave unknown jobs to the newer one, because completing such a job would lose it. A format above 1 is in the
 * data as `form`.
 */
export function isKnown(queue: QueueName, job: { readonly name: string; readonly data: unknown }): boolean {
  const { names, form } = kinds[queue];
  return names.includes(job.name) && formOf(job.data) <= form;
}

function formOf(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('form' in data)) return 1;
  return typeof data.form === 'number' ? data.form : Infinity;
}
