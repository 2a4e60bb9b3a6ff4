import { DelayedError, type Job, type JobJson, type Processor, Worker, type WorkerOptions } from 'bullmq';
import type { Clock } from '../../lib/core/ports.ts';
import { reconnectDelay } from '../../lib/redis/redis-connection.ts';

interface Attempts {
  readonly clock: Clock;
  /** Redis answered, with a job or without one. */
  readonly onAnswer: () => void;
  /** Whether the jobs are left to another worker now. Called at intervals while they are. */
  readonly standsBy: () => boolean;
}

/** What BullMQ makes a job of: the job, its id, for how many milliseconds the queue is limited, and when the next one is due. */
export type NextJob = readonly [job: JobJson | undefined, id: string, limitedMs: number, dueAt: number];

/** Takes jobs instead of BullMQ's backend. */
export interface JobTaker {
  take(token: string): Promise<NextJob>;
  /** Whether the next job with this token was taken already, or is known to be none. */
  hasNext(token: string): boolean;
  close(): void;
}

/** Interval between two checks whether a consumer that stands by may continue. */
const standByMs = 500;

/**
 * A consumer that waits before it asks for a job again after Redis refused to give it one, because it is full or read-only.
 * BullMQ would ask again at once, thousands of times a second.
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
    super(name, processor, { ...options, autorun: false });
    this.#attempts = attempts;
    this.#taker = taker;
    if (taker !== undefined) this.backend.moveToActive = async (token) => [...(await taker.take(token))];
    this.once('closing', () => {
      taker?.close();
      this.#closing.abort();
    });
    this.run().catch((error: unknown) => {
      this.emit('error', error instanceof Error ? error : new Error(String(error)));
    });
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
    ...given: Parameters<Worker<Data>['handleFailed']>
  ): Promise<Job<Data>> {
    const [error, , token] = given;
    // Its lock must not run out, also if this consumer closes.
    if (error instanceof DelayedError && this.#taker?.hasNext(token) === true)
      return super.moveToActive(token);
    return super.handleFailed(...given);
  }
}
