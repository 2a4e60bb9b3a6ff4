import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createRefChain } from '../../../../worker/intake/ingest/ref-chain.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();
const commit = (n: number) => String(n).repeat(40).slice(0, 40);
const push = (from: number, to: number) => ({
  repositoryId: 77,
  ref: 'refs/heads/main',
  before: commit(from),
  after: commit(to),
  created: from === 0,
});

function createTestEnvironment() {
  const keys = keysUnder(`{c-${randomUUID().slice(0, 8)}}`);
  const connection = redis.connect();
  const chain = createRefChain(connection, keys, systemClock);
  const links = async (...pushes: readonly (readonly [number, number])[]) => {
    const kinds: string[] = [];
    for (const [from, to] of pushes) kinds.push(await chain.link(push(from, to)));
    return kinds;
  };
  return { chain, links, wished: async () => (await connection.exists(keys.sweepRequested)) === 1 };
}

test('pushes that follow one another fit, and ask for nothing', async () => {
  const { links, wished } = createTestEnvironment();
  expect(await links([1, 2], [2, 3], [3, 4])).toEqual(['first', 'fits', 'fits']);
  expect(await wished()).toBe(false);
});

test('a push whose `before` is not the `after` of the last push shows a gap, which requests a sweep', async () => {
  const { links, wished } = createTestEnvironment();
  expect(await links([1, 2], [3, 4])).toEqual(['first', 'gap']);
  expect(await wished()).toBe(true);
});

test('late pushes fill their gap from either end, and the pushes after it fit again', async () => {
  const { links } = createTestEnvironment();
  expect(await links([1, 2], [5, 6], [4, 5], [2, 3], [3, 4], [6, 7])).toEqual([
    'first',
    'gap',
    'filled',
    'filled',
    'filled',
    'fits',
  ]);
});

test('a repeated push changes nothing; a ref that is created again starts a new chain', async () => {
  const { links, wished } = createTestEnvironment();
  expect(await links([1, 2], [1, 2], [0, 8], [8, 9])).toEqual(['first', 'known', 'fits', 'fits']);
  expect(await wished()).toBe(false);
});

test('gaps do not pile up without limit', async () => {
  const { chain, links } = createTestEnvironment();
  await links([1, 2]);
  for (let i = 0; i < 60; i += 1) {
    await chain.link({ ...push(0, 0), created: false, before: `b${i}`, after: `a${i}` });
  }
  const stored = await redis.connect().keys('{c-*:chain:77');
  const texts = await Promise.all(stored.map(async (key) => redis.connect().hget(key, 'refs/heads/main')));
  expect(Math.max(...texts.map((text) => text?.length ?? 0))).toBeLessThan(4_000);
});

test('the initial heads of refs are recorded once and never replace what a push reported', async () => {
  const { chain, links } = createTestEnvironment();
  await links([1, 2]);
  expect(await chain.last(77)).toBeUndefined();
  await chain.recordTips(77, [
    { ref: 'refs/heads/main', commit: commit(9) },
    { ref: 'refs/tags/v1', commit: commit(3) },
  ]);
  expect(await chain.last(77)).toEqual(
    new Map([
      ['refs/heads/main', { commit: commit(2), changes: 1 }],
      ['refs/tags/v1', { commit: commit(3), changes: 0 }],
    ]),
  );
});
