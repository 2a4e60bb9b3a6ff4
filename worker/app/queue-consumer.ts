import { type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import type { Clock } from '../../lib/core/ports.ts';
import { reconnectDelay } from '../../lib/redis/redis-connection.ts';

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
 * A consumer that waits before it asks for a job again after Redis refused to give it one, because it is full or read-only.
 * BullMQ would ask again at once, thousands of times a second.
 */
export class QueueConsumer<Data> extends Worker<Data> {
  readonly #attempts: Attempts;
  readonly #closing = new AbortController();
  #refusals = 0;

  constructor(name: string, processor: Processor<Data>, options: WorkerOptions, attempts: Attempts) {
    // The fields of this class do not exist while BullMQ's constructor runs.
    super(name, processor, { ...options, autorun: false });
    this.#attempts = attempts;
    this.once('closing', () => this.#closing.abort());
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
}
