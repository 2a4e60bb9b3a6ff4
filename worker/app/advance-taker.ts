import { type BegunWithJob, knownSteps } from '../promotion/advance-promotion.ts';
import type { AdvanceKey, Advances, TakenAdvance } from '../store/advances/advances.ts';
import type { Policy, Queues, Records, Timing } from '../promotion/context/ports.ts';
import { quarantineFrom } from '../store/jobs/quarantine.ts';
import { type NextJob, nextJob } from '../queue/next-job.ts';

const guards = { steps: knownSteps, quarantineFrom };

/** Takes the jobs of one consumer; `nextJob` says what a job is for BullMQ. */
export interface AdvanceTaker {
  /** From now on no job is taken with the end of another one. */
  close(): void;
  /** Whether a job was taken with the end of the job that has this token. */
  hasNext(token: string): boolean;
  take(token: string): Promise<NextJob>;
  /** The advance that was begun with a job; only once. */
  begunWith(job: string): BegunWithJob | undefined;
  /** Ends an advance, delays its job by `delay` milliseconds, and takes the next job with the same token. */
  endAndDelay(
    key: AdvanceKey,
    delayedJob: { readonly job: string; readonly token: string; readonly delay: number },
  ): Promise<void>;
}

/**
 * Takes jobs from the queue of advances, and begins each job's advance in the same command. One command to Redis
 * ends an advance and takes the next job, so that polling an execution stays cheap.
 */
export function createAdvanceTaker({
  store,
  queues,
  clock,
  settings,
}: Records<Advances> & Pick<Policy, 'settings'> & Queues & Pick<Timing, 'clock'>): AdvanceTaker {
  const { lockMs } = settings;
  const { advanceKeys: queuePrefix } = queues;
  /** The job that was taken with the end of the job before, by the token of both; `undefined`: there was none. */
  const next = new Map<string, TakenAdvance | undefined>();
  /** Advances that were begun with their jobs, by the id of the job. */
  const begun = new Map<string, BegunWithJob>();
  let isClosing = false;

  return {
    close(): void {
      isClosing = true;
    },
    hasNext: (token: string): boolean => next.has(token),
    async take(token: string): Promise<NextJob> {
      const taken = next.has(token)
        ? next.get(token)
        : await store.takeAdvance(queuePrefix, { token, lockMs }, guards);
      next.delete(token);
      const { job, begun: advance } = taken ?? {};
      if (job !== undefined && advance !== undefined) begun.set(job.id, { advance, at: clock.now() });
      return nextJob(taken);
    },
    begunWith(job: string): BegunWithJob | undefined {
      const advance = begun.get(job);
      begun.delete(job);
      return advance;
    },
    async endAndDelay(
      key: AdvanceKey,
      delayedJob: { readonly job: string; readonly token: string; readonly delay: number },
    ): Promise<void> {
      const takes = isClosing ? undefined : { ...guards, lockMs };
      const taken = await store.endAndDelay(key, { ...delayedJob, queuePrefix }, takes);
      if (takes !== undefined) next.set(delayedJob.token, taken);
    },
  };
}
