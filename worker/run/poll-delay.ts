import { pollInterval } from '../../flows/poll-interval.ts';
import type { Engine } from './engine.ts';

/** Milliseconds until the next look at something that has lasted since `since`: growing, jittered. */
export function pollDelay(since: number, { clock, random, settings }: Engine): number {
  return Math.max(10, Math.round(pollInterval(clock.now() - since, random) * settings.pollScale));
}

/** Milliseconds between looks at a lane that is held; a release hurries the run anyway. */
export const heldDelayMs = 15_000;
