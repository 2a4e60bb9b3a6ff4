import { expect, test } from 'vitest';
import { createTicks } from '../../../worker/app/ticks.ts';

/** A clock that stands still but for its sleeps. */
function steppingClock(begun: number) {
  let now = begun;
  const advance = (ms: number): void => void (now += ms);
  return { now: () => now, advance, sleep: async (ms: number) => advance(ms) };
}

const begun = 1_795_886_134_718;
const signal = new AbortController().signal;

test('tasks of different intervals wake at the same moments, however long their work takes', async () => {
  const clock = steppingClock(begun);
  const ticks = createTicks(clock);
  const wokenAt: number[] = [];
  for (const [everyMs, workMs] of [
    [500, 3],
    [500, 120],
    [2_000, 700],
    [1_000, 2_300],
  ] as const) {
    clock.advance(workMs);
    await ticks(everyMs, signal);
    wokenAt.push(clock.now() - begun);
  }
  expect(wokenAt).toEqual([500, 1_000, 2_000, 5_000]);
});

test('a timer that ends a little early does not make a task run twice', async () => {
  const clock = steppingClock(begun);
  const ticks = createTicks(clock);
  clock.advance(499);
  await ticks(500, signal);
  expect(clock.now() - begun).toBe(1_000);
});

test('a clock that is set back by hours delays a task by little more than its interval', async () => {
  const clock = steppingClock(begun);
  const ticks = createTicks(clock);
  clock.advance(-7_200_130);
  const before = clock.now();
  await ticks(500, signal);
  expect(clock.now() - before).toBeLessThanOrEqual(550);
  expect(clock.now() - before).toBeGreaterThan(0);
});
