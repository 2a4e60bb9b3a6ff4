import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds, or until the time limit. A missed condition shows in the measurements. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition()) && performance.now() < deadline) await delay(20);
}
