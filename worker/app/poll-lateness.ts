import type { Telemetry, Timing } from '../promotion/context/ports.ts';

/** Promotions measured at once; a sample is enough. */
const maxWatched = 1_000;

/** How much later than planned the promotions of this process advance. */
export interface Lateness {
  /** The promotion is to advance in `ms` milliseconds. */
  task(promotionId: string, ms: number): void;
  /** The promotion advances now. Records the delay if it was planned here. */
  observe(promotionId: string): void;
}

/**
 * Measures how much later than planned promotions advance. Counts only jobs that this process both planned and
 * took: clocks of two machines differ, and storing the planned time in Redis would cost a command for each poll.
 */
export function createLateness({
  clock,
  metrics,
}: Pick<Telemetry, 'metrics'> & Pick<Timing, 'clock'>): Lateness {
  const due = new Map<string, number>();
  return {
    task(promotionId: string, ms: number): void {
      if (due.size >= maxWatched) due.delete(due.keys().next().value ?? '');
      due.set(promotionId, clock.now() + ms);
    },
    observe(promotionId: string): void {
      const planned = due.get(promotionId);
      if (planned === undefined) return;
      due.delete(promotionId);
      metrics.pollLateness.observe(Math.max(0, clock.now() - planned) / 1_000);
    },
  };
}
