import type { Random } from '../../lib/core/ports/ports.ts';

const minIntervalMs = 1_000;
const maxIntervalMs = 60_000;

/**
 * Milliseconds until the next poll of an execution: a twentieth of its age, between one second and one minute, ± 20
 * %. A short execution is noticed early; a long one costs few requests.
 */
export function pollInterval(ageMs: number, random: Random): number {
  const base = Math.min(Math.max(ageMs / 20, minIntervalMs), maxIntervalMs);
  return Math.round(base * (0.8 + 0.4 * random()));
}
