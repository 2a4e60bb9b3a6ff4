import { expect, test } from 'vitest';
import { editAtRandom } from './random-edits.ts';

test.each([1, 2, 3, 4])(
  'after 200 random edits, each result of the cache is the result of a run (seed %i)',
  { timeout: 600_000 },
  async (seed) => {
    expect(await editAtRandom({ seed, edits: 200 })).toBeGreaterThan(100);
  },
);
