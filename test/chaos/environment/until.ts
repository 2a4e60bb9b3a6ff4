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
 * Waits until a condition holds, as long as there is progress: a busy machine is slow, only a fault makes none. `check`
 * gives true, or the progress as text, which must not alternate. Throws if the text stays the same for `stillMs`.
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
      throw new Error(`no progress for ${stillMs / 1000} s: ${what}; last progress: ${words}`);
    }
    await delay(everyMs);
  }
}
