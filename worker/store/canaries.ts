import type { Clock } from '../../lib/core/ports.ts';
import type { QueueName } from './job-kinds.ts';
import { queueNames } from './job-kinds.ts';

const queues: readonly QueueName[] = Object.values(queueNames);

/** Who finds out whether the queues of this very process still work. */
export interface Canaries {
  /** The name of this process; a canary is for the process that sent it. */
  readonly worker: string;
  /** A job of the queue came to this process. */
  worked(queue: QueueName): void;
  /** Milliseconds since a queue last worked. */
  age(queue: QueueName): number;
  /** The queues that have not worked although they were asked to, for longer than the limit. */
  stuck(): readonly QueueName[];
  /** Asks the queues that were idle. Call it every now and then. */
  ask(): Promise<void>;
}

export interface CanaryOptions {
  readonly worker: string;
  readonly clock: Clock;
  /** A queue that was idle for so long is sent a canary. */
  readonly everyMs: number;
  /** A canary that was sent and has not come back in this time means that the queue is stuck. */
  readonly limitMs: number;
  readonly send: (queue: QueueName, worker: string) => Promise<void>;
}

/**
 * A consumer can hang while its process and its connection look healthy. So a job is sent to each idle queue, for
 * this process alone; any work counts as well. A Redis that takes no canary proves nothing against the process: then
 * the clock stops, because a restart would help nobody.
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
