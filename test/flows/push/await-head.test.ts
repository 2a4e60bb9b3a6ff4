import { expect, test } from 'vitest';
import { includesPush, headDelay } from '../../../flows/push/await-head.ts';

test('only the pushed commit and its descendants include a push', () => {
  const relations = ['identical', 'ahead', 'behind', 'diverged', 'unrelated'] as const;
  expect(relations.filter(includesPush)).toEqual(['identical', 'ahead']);
});

test('a ref is read again with doubled delays, at last when the time is over, and then no more', () => {
  const limitMs = 300_000;
  const delays: number[] = [];
  let now = 5_000;
  for (let reads = 0; ; reads += 1) {
    const delay = headDelay({ since: 5_000, reads }, now, limitMs);
    if (delay === undefined) break;
    delays.push(delay);
    now += delay;
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 57_000]);
  expect(now).toBe(5_000 + limitMs);
});

test('a push whose last read came late, after an outage of the worker, is not read again for ever', () => {
  expect(headDelay({ since: 0, reads: 1 }, 900_000, 300_000)).toBeUndefined();
});
