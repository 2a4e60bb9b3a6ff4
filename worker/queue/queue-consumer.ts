import { DelayedError, type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import { errorOf } from '../../lib/core/errors/message-of.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { reconnectDelay } from '../../lib/redis/connection/redis-connection.ts';
import type { JobTaker } from './next-job.ts';

interface Attempts {
  readonly clock: Clock;
  /** Redis answered, with a job or without one. */
  readonly onAnswer: () => void;
  /** Whether the jobs are left to another worker now. Called at intervals while they are. */
  readonly standsBy: () => boolean;
}

/** Interval between two checks whether a consumer that stands by may continue. */
const standByMs = 500;

/**
 * A consumer that waits before it asks again after Redis refused to give it a job, because Redis is full or
 * read-only. BullMQ would ask again at once, thousands of times a second.
 */
export class QueueConsumer<Data> extends Worker<Data> {
  readonly #attempts: Attempts;
  readonly #taker: JobTaker | undefined;
  readonly #closing = new AbortController();
  #refusals = 0;

  constructor(
    name: string,
    processor: Processor<Data>,
    options: WorkerOptions,
    attempts: Attempts,
    taker?: JobTaker,
  ) {
    // The fields of this class do not exist while BullMQ's constructor runs.
    super(name, processor, { ...options, autorun: false, skipStalledCheck: true });
    this.#attempts = attempts;
    this.#taker = taker;
    if (taker !== undefined) takeWith(taker, this.backend);
    this.once('closing', () => {
      taker?.close();
      this.#closing.abort();
      // BullMQ would connect again when a wait for a job took too long.
      this.backend.reconnectBlocking = () => Promise.resolve();
    });
    this.run().catch((error: unknown) => {
      this.emit('error', errorOf(error));
    });
  }

  /** Takes the jobs back whose worker did not renew their locks: those that an earlier call has seen already. */
  async checkStalled(): Promise<void> {
    for (const id of await this.backend.moveStalledJobsToWait()) this.emit('stalled', id, 'active');
  }

  /** Ends what keeps the process running while `close` waits for a Redis that does not answer. */
  async abandonRedis(): Promise<void> {
    await this.backend.close(true);
    await this.lockManager.close();
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data>> {
    const { clock, onAnswer, standsBy } = this.#attempts;
    const { signal } = this.#closing;
    while (standsBy() && !signal.aborted) await clock.sleep(standByMs, signal).catch(() => undefined);
    try {
      const job = await super.moveToActive(token, name);
      this.#refusals = 0;
      onAnswer();
      return job;
    } catch (error) {
      const ms = reconnectDelay(this.#refusals);
      this.#refusals += 1;
      await clock.sleep(ms, signal).catch(() => undefined);
      throw error;
    }
  }

  protected override async handleFailed(
    ...failure: Parameters<Worker<Data>['handleFailed']>
  ): Promise<Job<Data>> {
    const [error, , token] = failure;
    // The lock of the next job must not run out, even if this consumer closes.
    if (error instanceof DelayedError && this.#taker?.hasNext(token) === true)
      return super.moveToActive(token);
    return super.handleFailed(...failure);
  }
}

/** A consumer of jobs of any type. */
export type AnyConsumer = Worker & Pick<QueueConsumer<unknown>, 'abandonRedis' | 'checkStalled'>;

/**
 * Takes jobs with `taker`. After a job that was the last one BullMQ asks for another at once: that there is none is known
 * without a command to Redis. Then it waits, and a job that was added since ends its wait.
 */
function takeWith(taker: JobTaker, backend: Worker['backend']): void {
  /** When the next job is due, 0 if none is known; undefined if one may wait now. */
  let nextDue: number | undefined;
  const waitForJob = backend.waitForJob.bind(backend);
  backend.waitForJob = async (seconds) => {
    nextDue = undefined;
    const marker = await waitForJob(seconds);
    // A job may have been added, also after another consumer took the last one during the wait.
    nextDue = undefined;
    return marker;
  };
  backend.moveToActive = async (token) => {
    const isTaken = taker.hasNext(token);
    if (!isTaken && nextDue !== undefined) {
      const due = nextDue;
      nextDue = undefined;
      if (due === 0 || due > Date.now()) return [undefined, '', 0, due];
    }
    const { job, limitedMs, dueAt, isLast } = await taker.take(token);
    if (job === undefined) return [undefined, '', limitedMs, dueAt];
    // A job that was taken with the end of another job says nothing about the time since.
    if (!isTaken && isLast) nextDue = dueAt;
    return [job, job.id, 0, 0];
  };
}
