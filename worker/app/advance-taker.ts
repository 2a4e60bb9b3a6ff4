import type { JobJson } from 'bullmq';
import { type BegunWithJob, knownSteps } from '../promotion/advance-promotion.ts';
import type { Engine } from '../promotion/engine.ts';
import type { AdvanceKey, TakenAdvance } from '../store/advances.ts';
import { quarantineFrom } from '../store/quarantine.ts';
import type { NextJob } from './queue-consumer.ts';

const guards = { steps: knownSteps, quarantineFrom };

/**
 * Takes the jobs of the queue of advances, each with its advance already begun, and the next one in the same command that ends
 * the one before: a poll of an execution is little else.
 */
export function createAdvanceTaker({ store, queues, clock, settings }: Engine) {
  const { lockMs } = settings;
  const { advanceKeys: queuePrefix } = queues;
  /** Taken with the end of the job before, by the token that both have; `undefined`: there is no job. */
  const next = new Map<string, TakenAdvance | undefined>();
  /** By the id of the job. */
  const begun = new Map<string, BegunWithJob>();
  let isClosing = false;

  return {
    /** From now on no job is taken with the end of another one. */
    close(): void {
      isClosing = true;
    },
    hasNext: (token: string): boolean => next.has(token),
    async take(token: string): Promise<NextJob> {
      const taken = next.has(token)
        ? next.get(token)
        : await store.takeAdvance(queuePrefix, { token, lockMs }, guards);
      next.delete(token);
      const { job, limitedMs = 0, dueAt = 0, begun: advance } = taken ?? {};
      if (job === undefined) return [undefined, '', limitedMs, dueAt];
      if (advance !== undefined) begun.set(job.id, { advance, at: clock.now() });
      return [jobOf(job), job.id, 0, 0];
    },
    /** The advance that was begun with a job; only once. */
    begunWith(job: string): BegunWithJob | undefined {
      const found = begun.get(job);
      begun.delete(job);
      return found;
    },
    /** Ends an advance, delays its job by `delay` milliseconds, and takes the next job with the same token. */
    async endAndDelay(
      key: AdvanceKey,
      given: { readonly job: string; readonly token: string; readonly delay: number },
    ): Promise<void> {
      const takes = isClosing ? undefined : { ...guards, lockMs };
      const taken = await store.endAndDelay(key, { ...given, queuePrefix }, takes);
      if (takes !== undefined) next.set(given.token, taken);
    },
  };
}

export type AdvanceTaker = ReturnType<typeof createAdvanceTaker>;

/** A job as BullMQ reads it. */
function jobOf({ id, fields }: NonNullable<TakenAdvance['job']>): JobJson {
  const number = (name: string): number => Number(fields[name] ?? '0');
  const { name = '', data = '{}', opts = '{}', processedOn, defa } = fields;
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
    failedReason: '',
    // No job of ours returns anything; BullMQ would catch an error for a text that is not JSON.
    returnvalue: 'null',
  };
}
