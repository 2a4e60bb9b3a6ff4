import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { QueueName } from './job-kinds.ts';
import { queueNames } from './job-kinds.ts';

const queues: readonly QueueName[] = Object.values(queueNames);

/** Detects whether the queues of this process still process jobs, with test jobs ("canaries"). */
export interface Canaries {
  /** The name of this process; a canary is for the process that sent it. */
  readonly worker: string;
  /** A job of the queue reached this process. */
  worked(queue: QueueName): void;
  /** Milliseconds since a queue last worked. */
  age(queue: QueueName): number;
  /** The queues that did not answer a canary within the limit. */
  stuck(): readonly QueueName[];
  /** Sends canaries to idle queues. Call it at intervals. */
  ask(): Promise<void>;
}

export interface CanaryOptions {
  readonly worker: string;
  readonly clock: Clock;
  /** Idle time after which a queue is sent a canary. */
  readonly everyMs: number;
  /** Time without an answer after which the queue counts as stuck. */
  readonly limitMs: number;
  readonly send: (queue: QueueName, worker: string) => Promise<void>;
}

/**
 * A consumer can hang while its process and its connection look healthy. So each idle queue gets a test job for
 * this process only; any other job counts as well. If Redis does not accept the test job, the process is not at
 * fault and a restart would not help, so the time is not counted.
 */
export function createCanaries({ worker, clock, everyMs, limitMs, send }: CanaryOptions): Canaries {
  const last = new Map<QueueName, number>(queues.map((queue) => [queue, clock.now()]));
  const asked = new Map<QueueName, number>();
  const age = (queue: QueueName): number => clock.now() - (last.get(queue) ?? 0);

  return {
    worker,
    worked(queue) {
      last.set(queue, clock.now());
      asked.delete(queue);
    },
    age,
    stuck: () => queues.filter((queue) => clock.now() - (asked.get(queue) ?? Infinity) > limitMs),
    async ask() {
      for (const queue of queues) {
        if (age(queue) < everyMs) continue;
        try {
          await send(queue, worker);
          if (!asked.has(queue)) asked.set(queue, clock.now());
        } catch {
          asked.delete(queue);
        }
      }
    },
  };
}
