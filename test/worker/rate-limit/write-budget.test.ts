import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
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

test('answers to comments leave room for progress updates, and those for ends', async () => {
  const { budgets } = createTestEnvironment();
  const [budget] = budgets;
  let answers = 0;
  while ((await budget?.take('a', 'answer')) === 0) answers += 1;
  expect(answers).toBe(40);
  let progress = answers;
  while ((await budget?.take('a', 'progress')) === 0) progress += 1;
  expect(progress).toBe(56);
  let ends = 0;
  while ((await budget?.take('a', 'end')) === 0) ends += 1;
  // Ends ask a little ahead, but never past the minute's limit.
  expect(progress + ends).toBe(80);
});

test('the mark of a write is set with its request, and not while it must wait', async () => {
  const { budgets, prefix } = createTestEnvironment({ perMinute: 1, perHour: 500, gapMs: 0 });
  const [budget] = budgets;
  const connection = redis.connect();
  const markOf = (name: string) => ({
    key: `${prefix}:${name}`,
    fields: { statusOpen: '3', checkOpen: '4' },
    keepSeconds: 60,
  });
  expect(await budget?.take('a', 'end', undefined, { mark: markOf('first') })).toBe(0);
  expect(await connection.hgetall(`${prefix}:first`)).toEqual({ statusOpen: '3', checkOpen: '4' });
  expect(await connection.ttl(`${prefix}:first`)).toBeGreaterThan(50);
  expect(await budget?.take('a', 'end', undefined, { mark: markOf('second') })).toBeGreaterThan(0);
  expect(await connection.exists(`${prefix}:second`)).toBe(0);
});

test('two writes of any workers are at least a second apart', async () => {
  const { budgets, slept } = createTestEnvironment(githubLimits, 2);
  for (let i = 0; i < 4; i += 1) expect(await budgets[i % 2]?.take('a', 'refusal')).toBe(0);
  expect(slept).toEqual([1_000, 2_000, 3_000]);
  // One that is on its way does not wait in line for so long: it comes back, with something newer by then.
  expect(await budgets[0]?.take('a', 'progress')).toBeGreaterThan(1_500);
  expect(await budgets[0]?.take('another', 'progress')).toBe(0);
});

test('of those that wait, a refusal is next, then ends and progress, the newest first, and what was superseded last', async () => {
  const { budgets, pass } = createTestEnvironment(githubLimits, 2);
  const [one, two] = budgets;
  for (let i = 0; i < 3; i += 1) await one?.take('a', 'refusal');
  const wanted = [
    ['superseded', 9],
    ['progress', 1],
    ['end', 2],
    ['progress', 3],
    ['end', 4],
    ['superseded', 5],
  ] as const;
  const ask = (budget: typeof one, [urgency, since]: (typeof wanted)[number]) =>
    budget?.take('a', urgency, { id: `${urgency} ${since}`, since });
  for (const write of wanted) expect(await ask(one, write)).toBeGreaterThan(0);
  const written: string[] = [];
  // All ask again and again, the oldest first.
  for (let i = 0; i < 40 && written.length < wanted.length; i += 1) {
    pass(500);
    for (const write of wanted)
      if (!written.includes(write.join(' ')) && (await ask(two, write)) === 0) written.push(write.join(' '));
  }
  expect(written).toEqual(['end 4', 'end 2', 'progress 3', 'progress 1', 'superseded 9', 'superseded 5']);
});

test('a refusal does not wait for those that wait', async () => {
  const { budgets, slept } = createTestEnvironment(githubLimits);
  const [budget] = budgets;
  for (let i = 0; i < 50; i += 1) await budget?.take('a', 'end', { id: `${i}`, since: i });
  slept.length = 0;
  expect(await budget?.take('a', 'refusal')).toBe(0);
  expect(slept).toEqual([2_000]);
});

test('the answer is when it is the turn of a write, and one that does not come back does not delay the others', async () => {
  const { budgets, pass } = createTestEnvironment(githubLimits);
  const [budget] = budgets;
  const ask = (since: number) => budget?.take('a', 'end', { id: `${since}`, since });
  for (const since of [1, 2, 3]) await ask(since);
  const waits = [await ask(12), await ask(11), await ask(10)];
  expect(waits).toEqual([2_000, 3_000, 4_000]);
  // The worker of 12 died.
  pass(5_000);
  expect(await ask(11)).toBe(1_000);
  pass(2_000);
  expect(await ask(11)).toBe(0);
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

test('without a time of its own it goes by the time of Redis', async () => {
  const budget = createWriteBudget(redis.connect(), { prefix: '{b-real}', clock: systemClock });
  expect(await budget.take('a', 'end')).toBe(0);
  expect(await budget.pause('a', 61_000)).toBe(61_000);
  expect(await budget.take('a', 'end')).toBeGreaterThan(50_000);
});
