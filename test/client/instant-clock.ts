import type { Clock } from '../../lib/core/ports/ports.ts';

/** A clock whose waits take no time: it advances by each wait and records it. */
export interface InstantClock extends Clock {
  readonly waits: readonly number[];
  advance(ms: number): void;
}

export function instantClock(start = Date.UTC(2031, 0, 1, 12)): InstantClock {
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
