import type { Random } from '../../lib/core/ports.ts';

const minIntervalMs = 1_000;
const maxIntervalMs = 60_000;

/**
 * How long to wait before the next look at an execution: a twentieth of its age, between one second and one
 * minute, ± 20 %. A short run is seen early, a long one costs few requests.
 */
export function pollInterval(ageMs: number, random: Random): number {
  const base = Math.min(Math.max(ageMs / 20, minIntervalMs), maxIntervalMs);
  return Math.round(base * (0.8 + 0.4 * random()));
}
