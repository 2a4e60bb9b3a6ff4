import type { Phase } from './phases.ts';

/** The position of a phase in the drawing, as parts of the width from 0 to 1. */
export interface DrawnPhase {
  readonly start: number;
  readonly width: number;
  /** Longer than it is drawn. */
  readonly isCut: boolean;
}

/** The scale of a drawing in which phases follow each other. */
export interface Scale {
  readonly phases: readonly DrawnPhase[];
  /** The width of a duration in milliseconds. */
  readonly widthOf: (ms: number) => number;
}

/**
 * Computes the scale. A wait is drawn at most as long as all work together, because a wait of days would make the
 * work invisible.
 */
export function scaleOf(phases: readonly Phase[], now: number): Scale {
  const durations = phases.map(({ from, to, isWait }) => ({ ms: Math.max(0, (to ?? now) - from), isWait }));
  const work = durations.reduce((sum, { ms, isWait }) => sum + (isWait ? 0 : ms), 0);
  const maxWait = work === 0 ? Infinity : work;
  const drawn = durations.map(({ ms, isWait }) => (isWait ? Math.min(ms, maxWait) : ms));
  const total = Math.max(
    1,
    drawn.reduce((sum, ms) => sum + ms, 0),
  );
  let before = 0;
  return {
    widthOf: (ms) => ms / total,
    phases: drawn.map((ms, i) => {
      const start = before / total;
      before += ms;
      return { start, width: ms / total, isCut: ms < (durations[i]?.ms ?? 0) };
    }),
  };
}
