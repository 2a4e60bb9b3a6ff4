export interface TakenJob {
  /** The id and the fields of the job, as BullMQ stores them; undefined if there is none. */
  readonly job: { readonly id: string; readonly fields: Readonly<Record<string, string>> } | undefined;
  /** Milliseconds for which BullMQ limits the queue. */
  readonly limitedMs: number;
  /** When the next job is due, in milliseconds since the epoch; 0 if none is known. */
  readonly dueAt: number;
  /** Whether no other job waited when this one was taken. */
  readonly isLast: boolean;
}

/** Parses the answer of `answer_job` (`taken-job.lua`). */
export function readTakenJob([id = '', limitedMs, dueAt, isLast, fields = '']: readonly string[]): TakenJob {
  return {
    job: id === '' ? undefined : { id, fields: JSON.parse(fields) as Record<string, string> },
    limitedMs: Number(limitedMs),
    dueAt: Number(dueAt),
    isLast: isLast === '1',
  };
}
