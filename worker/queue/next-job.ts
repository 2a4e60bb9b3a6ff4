import type { JobJson } from 'bullmq';
import type { Redis } from 'ioredis';
import type { TakenJob } from './read-taken-job.ts';
import { takeJob } from './take-job.ts';

/** The next job of a queue. */
export interface NextJob extends Omit<TakenJob, 'job'> {
  readonly job: JobJson | undefined;
}

/** Takes jobs in place of BullMQ's own code. */
export interface JobTaker {
  take(token: string): Promise<NextJob>;
  /** Whether the next job with this token was taken already, or is known to be none. */
  hasNext(token: string): boolean;
  close(): void;
}

/** Takes jobs from a queue. `prefix`: the prefix of the keys of all queues. */
export function createJobTaker(
  redis: Redis,
  { prefix, queue, lockMs }: { readonly prefix: string; readonly queue: string; readonly lockMs: number },
): JobTaker {
  const queuePrefix = `${prefix}:${queue}:`;
  return {
    async take(token) {
      // BullMQ uses the machine's clock.
      return nextJob(
        await takeJob(redis, [`${queuePrefix}wait`], { queuePrefix, token, lockMs, at: Date.now() }),
      );
    },
    hasNext: () => false,
    close: () => undefined,
  };
}

const none: NextJob = { job: undefined, limitedMs: 0, dueAt: 0, isLast: false };

/** Converts a taken job to the form that BullMQ expects. `taken` is undefined if there is no job. */
export function nextJob(taken: TakenJob | undefined): NextJob {
  if (taken === undefined) return none;
  const { job, limitedMs, dueAt, isLast } = taken;
  return { job: job && jobOf(job), limitedMs, dueAt, isLast };
}

/** A job as BullMQ reads it. */
function jobOf({ id, fields }: NonNullable<TakenJob['job']>): JobJson {
  const number = (name: string): number => Number(fields[name] ?? '0');
  const { name = '', data = '{}', opts = '{}', processedOn, defa, stacktrace } = fields;
  return {
    id,
    name,
    data,
    opts: JSON.parse(opts) as JobJson['opts'],
    progress: 0,
    delay: number('delay'),
    priority: number('priority'),
    timestamp: number('timestamp'),
    attemptsStarted: number('ats'),
    attemptsMade: number('atm'),
    stalledCounter: number('stc'),
    ...(processedOn === undefined ? {} : { processedOn: Number(processedOn) }),
    ...(defa === undefined ? {} : { deferredFailure: defa }),
    ...(stacktrace === undefined ? {} : { stacktrace }),
    failedReason: fields['failedReason'] ?? '',
    // No job of ours returns anything; BullMQ would catch an error for a text that is not JSON.
    returnvalue: 'null',
  };
}
