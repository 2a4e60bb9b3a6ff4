import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds; throws an error with its description if it does not in time. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  withinMs = 120_000,
  everyMs = 40,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await delay(everyMs);
  }
}

/**
 * Waits until something holds, for as long as it gets on: a busy machine takes long, only a fault stands still. `look`
 * gives true, or as text, how far it is, of nothing that can go to and fro; throws where these stay the same.
 *
 * @param stillMs longer than anything may wait in good order
 */
export async function untilReached(
  what: string,
  check: () => Promise<true | string>,
  stillMs = 60_000,
  everyMs = 200,
): Promise<void> {
  let words = '';
  let since = Date.now();
  for (let found = await check(); found !== true; found = await check()) {
    if (found !== words) since = Date.now();
    words = found;
    if (Date.now() - since > stillMs) {
      throw new Error(`nothing went on for ${stillMs / 1000} s: ${what}; it stands at: ${words}`);
    }
    await delay(everyMs);
  }
}
