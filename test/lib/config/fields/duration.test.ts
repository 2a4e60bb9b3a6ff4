import { expect, test } from 'vitest';
import { parseDuration } from '../../../../lib/config/fields/duration.ts';

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['1h30m', 5_400_000],
  ['7d', 604_800_000],
  ['1d2h3m4s', 93_784_000],
  ['0s', 0],
  ['', undefined],
  ['30', undefined],
  ['30 m', undefined],
  ['30m1h', undefined],
  ['-5m', undefined],
  ['1.5h', undefined],
  ['5ms', undefined],
  ['99999999999s', undefined],
  ['5M', undefined],
])('%j is %s milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});
