import { pollInterval } from '../../../flows/run/poll-interval.ts';
import type { Policy, Timing } from './ports.ts';

/**
 * Milliseconds until the next poll of something that has lasted since `since`. The delay grows with time, and has
 * jitter.
 */
export function pollDelay(
  since: number,
  { clock, random, settings }: Pick<Policy, 'settings'> & Timing,
): number {
  return Math.max(10, Math.round(pollInterval(clock.now() - since, random) * settings.pollScale));
}

/** From this share of its usual duration on, an execution may well have ended. */
const nearEndShare = 0.8;
const overdueShare = 1.5;
const minDelayMs = 1_000;
const maxDelayMs = 120_000;

/**
 * Milliseconds until the next poll of an execution whose usual duration is known, ± 20 %: rarely at first, often
 * around its usual end, and after 1.5 times the usual duration as for an execution of unknown duration.
 */
export function learnedDelay(
  since: number,
  usualMs: number | undefined,
  parts: Pick<Policy, 'settings'> & Timing,
): number {
  const age = parts.clock.now() - since;
  if (usualMs === undefined || age >= overdueShare * usualMs) return pollDelay(since, parts);
  const jitter = 0.8 + 0.4 * parts.random();
  const untilNear = nearEndShare * usualMs - age;
  // At least once in each fifth of the usual duration: an execution that fails usually fails early.
  const early = Math.min(untilNear, Math.max(usualMs / 5, minDelayMs), maxDelayMs);
  const nearEnd = Math.min(Math.max(usualMs / 40, minDelayMs), 15_000);
  const base = untilNear > 0 ? Math.max(early, minDelayMs) : nearEnd;
  return Math.max(10, Math.round(base * jitter * parts.settings.pollScale));
}
