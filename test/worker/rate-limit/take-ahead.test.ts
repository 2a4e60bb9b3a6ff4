import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createTokenBucket } from '../../../worker/rate-limit/token-bucket.ts';
import { takeAhead } from '../../../worker/rate-limit/take-ahead.ts';
import { manualClock } from '../../environment/clock.ts';
import { testRedis } from '../../environment/redis.ts';

const redis = testRedis();

/** A bucket of a credential; it holds a twentieth of the limit. */
function createTestEnvironment(requests = 60_000) {
  const [prefix, clock, limit] = [`{a-${randomUUID()}}`, manualClock(), { requests, windowMs: 60_000 }];
  const connection = redis.connect();
  const plain = createTokenBucket(connection, prefix, 'warehouse', limit);
  const key = `${prefix}:rate-limit:warehouse`;
  const bucket = takeAhead(plain, { redis: connection, key, limit, clock });
  const tokens = async () => Number((await connection.hget(key, 'tokens')) ?? requests / 20);
  let reads = 0;
  /** Reads of as many executions, one after the other; returns what each had to wait. */
  const read = async (count: number) => {
    const waits: number[] = [];
    for (let i = 0; i < count; i += 1) waits.push(await bucket.take('read', `execution ${(reads += 1)}`));
    return waits;
  };
  const scripts = async () => {
    const stats = await connection.info('commandstats');
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };
  return { bucket, plain, clock, connection, key, tokens, read, scripts };
}

/** The time of Redis in milliseconds. */
async function serverMs(connection: Redis): Promise<number> {
  const [seconds, microseconds] = await connection.time();
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

test('while there are plenty of tokens, many reads take theirs with few commands', async () => {
  const { read, scripts, tokens, connection } = createTestEnvironment();
  await read(2);
  await connection.config('RESETSTAT');
  const begun = await serverMs(connection);
  expect(await read(500)).toEqual(Array.from({ length: 500 }, () => 0));
  expect(await scripts()).toBeLessThan(20);
  // The clock of Redis also refills the bucket, with less than a token in a millisecond.
  const refilled = (await serverMs(connection)) - begun;
  expect(await tokens()).toBeLessThan(3_000 - 400 + refilled);
});

test('an effect that follows reads takes one of the tokens that were taken with theirs', async () => {
  const { read, bucket, scripts } = createTestEnvironment();
  await read(20);
  const before = await scripts();
  expect(await bucket.take('effect', '')).toBe(0);
  expect(await scripts()).toBe(before);
});

test('a single read takes a single token', async () => {
  const { read, clock, connection, key } = createTestEnvironment();
  for (let i = 0; i < 3; i += 1) {
    await read(1);
    expect(Number(await connection.hget(key, 'tokens'))).toBeGreaterThan(3_000 - 2);
    await connection.del(key);
    await clock.advance(1_000);
  }
});

test('five requests in a row take their tokens with two commands', async () => {
  const { read, bucket, clock, scripts } = createTestEnvironment();
  // The first call of a script on a connection is another command.
  await read(2);
  await clock.advance(1_000);
  const before = await scripts();
  await read(3);
  await bucket.take('effect', '');
  await bucket.take('effect', '');
  expect((await scripts()) - before).toBe(2);
});

test('near the limit each read takes its own token, so that all of them are used', async () => {
  // It holds fifty tokens; half of them are for effects.
  const { read, bucket } = createTestEnvironment(1_000);
  const waits = await read(60);
  expect(waits.filter((wait) => wait === 0).length).toBeGreaterThanOrEqual(25);
  expect(waits.at(-1)).toBeGreaterThan(0);
  const effects = await Promise.all(Array.from({ length: 20 }, () => bucket.take('effect', '')));
  expect(effects).toEqual(effects.map(() => 0));
});

test('a token that was taken a moment ago is not used any more', async () => {
  const { read, clock, scripts, bucket, plain } = createTestEnvironment();
  await read(20);
  const before = await scripts();
  await clock.advance(251);
  await read(1);
  expect(await scripts()).toBeGreaterThan(before);
  // What a token waits here, its request must not wait.
  expect(plain.tokenTtlMs - bucket.tokenTtlMs).toBe(250);
});

test('after a refusal of the platform no token from before it is used', async () => {
  const { read, bucket } = createTestEnvironment();
  await read(20);
  await bucket.slow(5_000);
  const [wait] = await read(1);
  expect(wait).toBeGreaterThan(4_000);
});
