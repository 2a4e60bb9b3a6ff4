import { expect, test } from 'vitest';
import { compareDivisions } from './random-divisions.ts';

test('the quotients and rests of 10,000 pairs of exact numbers are exact', { timeout: 240_000 }, async () => {
  await expect(compareDivisions({ rounds: 500, seed: 20_261_123 })).resolves.toBeUndefined();
});
