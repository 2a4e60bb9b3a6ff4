import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createTokenBucket,
  type TokenBucket,
  type RequestKind,
} from '../../../worker/rate-limit/token-bucket.ts';
import { testRedis } from '../../environment/redis.ts';

const redis = testRedis();
const limit = { requests: 600, windowMs: 60_000 };
/** A twentieth of the limit. */
const size = 30;

/** Several workers with one credential, whose time a test moves. */
function createTestEnvironment(workers = 1) {
  const prefix = `{t-${randomUUID()}}`;
  let time = Date.UTC(2031, 0, 1);
  const buckets = Array.from({ length: workers }, () =>
    createTokenBucket(redis.connect(), prefix, 'warehouse', limit, () => time),
  );
  return { buckets: buckets as [TokenBucket, TokenBucket], pass: (ms: number) => (time += ms) };
}

async function takeAll(bucket: TokenBucket, kind: RequestKind, count: number): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => bucket.take(kind, `execution ${i}`)));
}

const granted = (waits: readonly number[]): number => waits.filter((wait) => wait === 0).length;

test('all workers of a credential draw on one bucket, which holds a twentieth of the limit and gets nine a second', async () => {
  const { buckets, pass } = createTestEnvironment(2);
  const [one, two] = buckets;
  expect(granted(await takeAll(one, 'effect', size))).toBe(size);
  expect(granted(await takeAll(two, 'effect', size))).toBe(0);
  pass(1_000);
  expect(granted(await takeAll(two, 'effect', size))).toBe(9);
});

test('reads leave half of the bucket to effects', async () => {
  const [bucket] = createTestEnvironment().buckets;
  expect(granted(await takeAll(bucket, 'read', 2 * size))).toBe(size / 2);
  expect(granted(await takeAll(bucket, 'effect', size))).toBe(size / 2);
});

test('what is asked in the background leaves three quarters of the bucket to effects and reads', async () => {
  const [bucket] = createTestEnvironment().buckets;
  expect(granted(await takeAll(bucket, 'background', size))).toBe(size - Math.floor((size * 3) / 4));
  expect(granted(await takeAll(bucket, 'read', size))).toBeGreaterThan(0);
});

test('while reads are in line nothing is asked in the background, and it takes no place of theirs', async () => {
  const { buckets, pass } = createTestEnvironment();
  const [bucket] = buckets;
  await takeAll(bucket, 'read', 2 * size);
  const first = await bucket.take('read', 'a late one');
  for (let i = 0; i < 100; i += 1) expect(await bucket.take('background', '')).toBeGreaterThan(0);
  expect(await bucket.take('read', 'a late one')).toBe(first);
  pass(60_000);
  expect(await bucket.take('background', '')).toBe(0);
});

test('what is asked in the background can be asked under the smallest limit too', async () => {
  const tiny = createTokenBucket(
    redis.connect(),
    `{t-${randomUUID()}}`,
    'x',
    { requests: 20, windowMs: 60_000 },
    () => 0,
  );
  expect(await tiny.take('background', '')).toBe(0);
  expect(await tiny.take('background', '')).toBeGreaterThan(0);
});

test('reads that find no token are given places one after the other, and the same read keeps its place', async () => {
  const { buckets, pass } = createTestEnvironment();
  const [bucket] = buckets;
  await takeAll(bucket, 'read', 2 * size);
  const [first, second] = [await bucket.take('read', 'a late one'), await bucket.take('read', 'another')];
  expect(second).toBeGreaterThan(first);
  expect(await bucket.take('read', 'a late one')).toBe(first);
  // Fifteen of them found one; forty-five at nine a second stand before these two.
  expect(first).toBeGreaterThan(4_900);
  expect(first).toBeLessThan(5_200);
  pass(1_000);
  expect(await bucket.take('read', 'a late one')).toBe(first - 1_000);
});

test('after a refusal nothing is sent for the time asked for, by any worker', async () => {
  const { buckets, pass } = createTestEnvironment(2);
  const [one, two] = buckets;
  await one.slow(400);
  expect(await two.take('effect', '')).toBe(400);
  pass(399);
  expect(await two.take('effect', '')).toBe(1);
  expect(await two.take('read', 'an execution')).toBeGreaterThanOrEqual(1);
  pass(1);
  expect(await two.take('effect', '')).toBe(0);
});

test('after a refusal reads run at half the rate, and a hundred simultaneous refusals count as one', async () => {
  const [bucket] = createTestEnvironment().buckets;
  await Promise.all(Array.from({ length: 100 }, () => bucket.slow(1)));
  const waits = (await takeAll(bucket, 'read', 20)).toSorted((a, b) => a - b);
  const spacing = ((waits.at(-1) ?? 0) - (waits[5] ?? 0)) / (waits.length - 6);
  // Nine a second are 109 ms apart; at half the pace 218, and a twentieth of it would be 2,175.
  expect(spacing).toBeGreaterThan(215);
  expect(spacing).toBeLessThan(220);
});

test('without a time of its own it goes by the time of Redis', async () => {
  const bucket = createTokenBucket(redis.connect(), `{t-${randomUUID()}}`, 'warehouse', limit);
  await bucket.slow(60_000);
  const wait = await bucket.take('effect', '');
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60_000);
});
