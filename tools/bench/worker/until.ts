import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something holds, at most so long: what does not come shows in the figures. */
export async function until(holds: () => boolean | Promise<boolean>, atMostMs: number): Promise<void> {
  const last = performance.now() + atMostMs;
  while (!(await holds()) && performance.now() < last) await delay(20);
}
