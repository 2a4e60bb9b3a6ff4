import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBucket, type TokenBucket } from '../../../worker/rate-limit/token-bucket.ts';
import { seededRandom } from '../../../platform/random/seeded-random.ts';
import { testRedis } from '../../environment/redis.ts';
import { type Demand, meetDemands, maxWithin } from './demand.ts';

const redis = testRedis();
const minute = 60_000;
/** So much later than its token a request may arrive. */
const latestMs = 2_000;

/** Some workers' paces on one bucket, in a time that the test sets. */
function bucket(
  requests: number,
  workers: number,
): { buckets: readonly TokenBucket[]; setTime(at: number): void } {
  const prefix = `{t-${randomUUID()}}`;
  const connection = redis.connect();
  let now = 0;
  const limit = { requests, windowMs: minute };
  const open = (): TokenBucket => createTokenBucket(connection, prefix, 'warehouse', limit, () => now);
  return {
    buckets: Array.from({ length: workers }, open),
    setTime: (at) => void (now = 1_900_000_000_000 + at),
  };
}

/** Many who want something at about the same time. */
const crowd = fc.record({
  at: fc.nat(150_000),
  withinMs: fc.constantFrom(0, 500, 20_000),
  reads: fc.nat(150),
  effects: fc.nat(15),
});

test('under any demand and any delay the platform never gets more than the limit in 60 seconds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10, max: 120 }),
      fc.array(crowd, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(200_000), { maxLength: 4 }),
      fc.integer(),
      async (requests, crowds, stalls, seed) => {
        const random = seededRandom(seed);
        const demands = crowds.flatMap(({ at, withinMs, reads, effects }, c): Demand[] =>
          Array.from({ length: reads + effects }, (_, i) => ({
            at: at + Math.floor(random() * withinMs),
            kind: i < reads ? 'read' : 'effect',
            what: `execution ${c} ${i}`,
          })),
        );
        const { buckets, setTime } = bucket(requests, 3);
        const arrivals = await meetDemands(demands, buckets, setTime, {
          // Some are fast; where the network is blocked, everything sent arrives at once when the block ends.
          transitMs: (sentAt) => {
            const end = stalls.find((at) => at >= sentAt && at - sentAt <= latestMs);
            return end === undefined ? Math.floor(random() ** 4 * latestMs) : end - sentAt;
          },
          lateMs: () => Math.floor(random() ** 4 * 3_000),
        });
        expect(arrivals).toHaveLength(demands.length);
        expect(maxWithin(minute, arrivals)).toBeLessThanOrEqual(requests);
      },
    ),
    {
      numRuns: 6,
      seed: 20_310_101,
      endOnFailure: true,
      // A regression: a wait that was lost in rounding was answered as 0, and eight requests went without a token.
      examples: [[67, [{ at: 0, withinMs: 500, reads: 67, effects: 8 }], [], 0]],
    },
  );
});

test('what was sent while the network stood still and arrives at once, and a minute of all that is allowed after it, keep the limit', async () => {
  const requests = 600;
  const { buckets, setTime } = bucket(requests, 2);
  const reads = (count: number): Demand[] =>
    Array.from({ length: count }, (_, i) => ({ at: 0, kind: 'read', what: `execution ${i}` }));
  const arrivals = await meetDemands(reads(1_000), buckets, setTime, {
    // All of the first two seconds arrive at their end; nothing is slow after that.
    transitMs: (sentAt) => Math.max(0, latestMs - sentAt),
    lateMs: () => 0,
    until: 70_000,
  });
  expect(maxWithin(minute, arrivals)).toBeLessThanOrEqual(requests);
  // Reads leave the half of the bucket alone that effects have.
  expect(maxWithin(minute, arrivals)).toBeGreaterThan(0.96 * requests);
});

test('under constant demand at least nine tenths of the limit are used', async () => {
  const requests = 300;
  const minutes = 3;
  const { buckets, setTime } = bucket(requests, 2);
  const random = seededRandom(7);
  const pollers = Array.from({ length: 60 }, (_, i): Demand => ({
    at: 0,
    kind: 'read',
    what: `execution ${i}`,
  }));
  const arrivals = await meetDemands(pollers, buckets, setTime, {
    transitMs: () => 20,
    // As late as a queue under load is.
    lateMs: () => Math.floor(random() * 1_000),
    next: (demand, sentAt) => ({ ...demand, at: sentAt + 1_000 }),
    until: minutes * minute,
  });
  expect(arrivals.length / minutes / requests).toBeGreaterThan(0.91);
  expect(maxWithin(minute, arrivals)).toBeLessThanOrEqual(requests);
});
