import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPace, type Pace } from '../../../worker/pace/pace.ts';
import { testRedis } from '../../redis.ts';

const redis = testRedis();
const limit = { requests: 600, windowMs: 60_000 };
/** A twentieth of the limit. */
const size = 30;

/** Several workers with one credential. */
function paces(count: number): readonly Pace[] {
  const prefix = `{t-${randomUUID()}}`;
  return Array.from({ length: count }, () => createPace(redis.connect(), prefix, 'warehouse', limit));
}

async function takeAll(pace: Pace, kind: 'effect' | 'read', count: number): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => pace.take(kind, `execution ${i}`)));
}

const granted = (waits: readonly number[]): number => waits.filter((wait) => wait === 0).length;

test('all workers of a credential draw on one bucket, which holds a twentieth of the limit', async () => {
  const [one, two] = paces(2) as [Pace, Pace];
  const waits = [...(await takeAll(one, 'effect', size)), ...(await takeAll(two, 'effect', size))];
  expect(granted(waits)).toBeGreaterThanOrEqual(size);
  // What comes in meanwhile is nine a second.
  expect(granted(waits)).toBeLessThan(size + 20);
});

test('reads leave half of the bucket to effects', async () => {
  const [pace] = paces(1) as [Pace];
  expect(granted(await takeAll(pace, 'read', 2 * size))).toBeLessThan(size / 2 + 10);
  expect(granted(await takeAll(pace, 'effect', size / 2))).toBe(size / 2);
});

test('reads that find no token are given places one after the other, and the same read keeps its place', async () => {
  const [pace] = paces(1) as [Pace];
  await takeAll(pace, 'read', 2 * size);
  const [first, second] = [await pace.take('read', 'a late one'), await pace.take('read', 'another')];
  expect(second).toBeGreaterThan(first);
  expect(await pace.take('read', 'a late one')).toBeLessThanOrEqual(first);
  // Fifteen of them found one; forty-five at nine a second stand before these two.
  expect(first).toBeGreaterThan(3_000);
  expect(first).toBeLessThan(7_000);
});

test('after a refusal nothing is sent for the time asked for, by any worker, and then at half the pace', async () => {
  const [one, two] = paces(2) as [Pace, Pace];
  await one.slow(400);
  expect(await two.take('effect', '')).toBeGreaterThan(200);
  const wait = await two.take('read', 'an execution');
  expect(wait).toBeGreaterThan(300);
  await expect.poll(() => two.take('effect', ''), { timeout: 5_000, interval: 20 }).toBe(0);
});

test('after a refusal reads come at half the pace; a hundred refusals at once count as one', async () => {
  const [pace] = paces(1) as [Pace];
  await Promise.all(Array.from({ length: 100 }, () => pace.slow(1)));
  const waits = (await takeAll(pace, 'read', 20)).toSorted((a, b) => a - b);
  const spacing = ((waits.at(-1) ?? 0) - (waits[5] ?? 0)) / (waits.length - 6);
  // Nine a second are 111 ms apart; at half the pace 222, and a twentieth of it would be 2,222.
  expect(spacing).toBeGreaterThan(180);
  expect(spacing).toBeLessThan(300);
});
