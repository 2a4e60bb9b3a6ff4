import type { PlatformClock } from './platform-clock.ts';

export interface ClockState {
  /** ISO 8601 */
  readonly now: string;
  readonly frozen: boolean;
  readonly aheadMs: number;
}

export function showClock(clock: PlatformClock): ClockState {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen, aheadMs: clock.ahead };
}
