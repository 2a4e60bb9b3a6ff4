import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createExportReads } from '../../../../worker/store/lanes/export-reads.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly (readonly Item[])[]> {
  const all: (readonly Item[])[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

function createTestEnvironment() {
  const [connection, keys] = [redis.connect(), keysUnder(`{x-${randomUUID()}}`)];
  return { connection, keys, reads: createExportReads(connection, keys) };
}

test('all promotions are read once in pages, also many of the same millisecond', async () => {
  const { connection, keys, reads } = createTestEnvironment();
  const ids = Array.from({ length: 900 }, (_, i) => `p${String(i).padStart(4, '0')}`);
  // 100 with times of their own, 700 of one moment, then 100 again.
  const timeOf = (i: number): number => (i < 100 ? i : i < 800 ? 100 : i);
  await connection.zadd(keys.promotions, ...ids.flatMap((id, i) => [timeOf(i), id]));
  const pages = await collect(reads.promotionPages());
  expect(pages.flat()).toEqual(ids);
  expect(Math.max(...pages.map(({ length }) => length))).toBe(200);
});

test('promotions that are deleted while they are read make no other one missing', async () => {
  const { connection, keys, reads } = createTestEnvironment();
  const ids = Array.from({ length: 500 }, (_, i) => `p${i}`);
  await connection.zadd(keys.promotions, ...ids.flatMap((id, i) => [i, id]));
  const seen: string[] = [];
  for await (const page of reads.promotionPages()) {
    seen.push(...page);
    await connection.zremrangebyrank(keys.promotions, 0, 149);
  }
  expect(seen).toEqual(ids);
});

test('the history of a lane is read in pages, and only its entries of a span of time', async () => {
  const { connection, keys, reads } = createTestEnvironment();
  for (let i = 1; i <= 450; i += 1)
    await connection.xadd(keys.history({ lane: 'a' }), `${i}-1`, 'at', i, 'what', `e${i}`, 'data', '');
  const pages = await collect(reads.laneHistory('a', { since: 21, until: 440 }));
  expect(pages.map(({ length }) => length)).toEqual([200, 200, 20]);
  expect(pages.flat().map(({ what }) => what)).toEqual(Array.from({ length: 420 }, (_, i) => `e${i + 21}`));
});

test('the history of a promotion is read in pages, and only its newer entries', async () => {
  const { connection, keys, reads } = createTestEnvironment();
  const entries = Array.from({ length: 450 }, (_, i) => `${i + 1} e${i + 1} {"a b": 1}`);
  await connection.rpush(keys.history({ promotion: 'p1' }), ...entries);
  const pages = await collect(reads.promotionHistory('p1', { since: 21, until: 440 }));
  expect(pages.map(({ length }) => length)).toEqual([180, 200, 50]);
  expect(pages[0]?.[0]).toEqual({ at: 21, what: 'e21', data: '{"a b": 1}' });
  expect(await reads.haveChanged(['p1', 'p2'], 450)).toEqual([true, false]);
  expect(await reads.haveChanged(['p1'], 451)).toEqual([false]);
});
