import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/core/system-clock.ts';
import {
  createWriteBudget,
  githubLimits,
  type WriteLimits,
} from '../../../worker/rate-limit/write-budget.ts';
import { manualClock } from '../../environment/clock.ts';
import { testRedis } from '../../environment/redis.ts';

const redis = testRedis();
const minute = 60_000;

/** Budgets of several workers on one Redis, whose time a test moves. Waits that are granted pass at once. */
function createTestEnvironment(limits: WriteLimits = { ...githubLimits, gapMs: 0 }, workers = 1) {
  const prefix = `{b-${randomUUID().slice(0, 8)}}`;
  let time = Date.UTC(2031, 0, 1);
  const slept: number[] = [];
  const clock = { ...manualClock(), sleep: async (ms: number) => void slept.push(ms) };
  const budgets = Array.from({ length: workers }, () =>
    createWriteBudget(redis.connect(), { prefix, clock, limits, now: () => time }),
  );
  return { budgets, slept, pass: (ms: number) => (time += ms), prefix };
}

test('eighty writes in any minute and five hundred in any hour, all workers together', async () => {
  const { budgets, slept, pass } = createTestEnvironment(undefined, 3);
  const written: number[] = [];
  // Two hours of workers that always want to write.
  for (let now = 0; now < 120 * minute; now += 15_000, pass(15_000)) {
    for (const budget of budgets) {
      for (;;) {
        slept.length = 0;
        if ((await budget.take('a', 'end')) > 0) break;
        written.push(now + (slept[0] ?? 0));
      }
    }
  }
  const max = (window: number) =>
    Math.max(...written.map((at) => written.filter((other) => other >= at && other < at + window).length));
  expect(max(minute)).toBe(80);
  expect(max(60 * minute)).toBe(500);
  expect(written.length).toBeGreaterThan(990);
});

test('progress updates leave room for ends', async () => {
  const { budgets } = createTestEnvironment();
  const [budget] = budgets;
  let progress = 0;
  while ((await budget?.take('a', 'progress')) === 0) progress += 1;
  expect(progress).toBe(56);
  let ends = 0;
  while ((await budget?.take('a', 'end')) === 0) ends += 1;
  // Ends ask a little ahead, but never past the minute's limit.
  expect(progress + ends).toBe(80);
});

test('two writes of any workers are at least a second apart', async () => {
  const { budgets, slept } = createTestEnvironment(githubLimits, 2);
  for (let i = 0; i < 4; i += 1) expect(await budgets[i % 2]?.take('a', 'end')).toBe(0);
  expect(slept).toEqual([1_000, 2_000, 3_000]);
  // One that is on its way does not wait in line for so long: it comes back, with something newer by then.
  expect(await budgets[0]?.take('a', 'progress')).toBeGreaterThan(1_500);
  expect(await budgets[0]?.take('another', 'progress')).toBe(0);
});

test('a pause applies to all workers, takes at least a minute, and doubles until a write succeeds', async () => {
  const { budgets, pass } = createTestEnvironment(undefined, 2);
  const [one, two] = budgets;
  expect(await one?.pause('a', 5_000)).toBe(minute);
  // Another request that was sent at the same time gets the same refusal.
  expect(await two?.pause('a', 5_000)).toBe(minute);
  expect(await two?.take('a', 'end')).toBe(minute);
  pass(minute);
  expect(await two?.take('a', 'end')).toBe(0);
  expect(await two?.pause('a', 5_000)).toBe(2 * minute);
  pass(2 * minute);
  expect(await one?.pause('a', 5_000)).toBe(4 * minute);
  pass(4 * minute);
  await one?.recovered('a');
  expect(await one?.pause('a', 200_000)).toBe(200_000);
});

test('without a time of its own it goes by that of Redis', async () => {
  const budget = createWriteBudget(redis.connect(), { prefix: '{b-real}', clock: systemClock });
  expect(await budget.take('a', 'end')).toBe(0);
  expect(await budget.pause('a', 61_000)).toBe(61_000);
  expect(await budget.take('a', 'end')).toBeGreaterThan(50_000);
});
