import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something holds; throws in words where it does not in time. */
export async function until(
  what: string,
  look: () => boolean | Promise<boolean>,
  withinMs = 60_000,
  everyMs = 40,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await delay(everyMs);
  }
}
