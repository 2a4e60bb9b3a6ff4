import type { Clock } from '../../lib/core/ports.ts';

/** A clock on which waiting takes no time: it moves on by the wait and keeps it. */
export interface ImpatientClock extends Clock {
  readonly waits: readonly number[];
  advance(ms: number): void;
}

export function impatientClock(start = Date.UTC(2031, 0, 1, 12)): ImpatientClock {
  let time = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      time += ms;
    },
    advance(ms) {
      time += ms;
    },
  };
}
