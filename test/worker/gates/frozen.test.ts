import { expect, test } from 'vitest';
import { isFrozen } from '../../../worker/gates/frozen.ts';

const at = (time: string): number => Date.parse(time);

test.each([
  ['Saturday noon', '2026-11-21T12:00:00Z', true],
  ['the first minute of Saturday', '2026-11-21T00:00:00Z', true],
  ['the last minute of Friday', '2026-11-20T23:59:59Z', false],
  ['Monday', '2026-11-23T12:00:00Z', false],
])('%s against a freeze of the weekend', (_, time, frozen) => {
  expect(isFrozen([{ days: ['sat', 'sun'], zone: 'UTC' }], at(time))).toBe(frozen);
});

test.each([
  ['before it begins', '2026-11-20T17:59:00Z', false],
  ['as it begins', '2026-11-20T18:00:00Z', true],
  ['after midnight, which is Saturday', '2026-11-21T05:59:00Z', true],
  ['as it ends', '2026-11-21T06:00:00Z', false],
  ['in the morning of the Friday itself', '2026-11-20T05:00:00Z', false],
])('a freeze of Friday night, %s', (_, time, frozen) => {
  expect(isFrozen([{ days: ['fri'], from: '18:00', to: '06:00', zone: 'UTC' }], at(time))).toBe(frozen);
});

test('the clocks of the zone count, in summer and in winter', () => {
  const freeze = [{ from: '09:00', to: '10:00', zone: 'Europe/London' }];
  expect(isFrozen(freeze, at('2026-07-01T08:30:00Z'))).toBe(true);
  expect(isFrozen(freeze, at('2026-07-01T09:30:00Z'))).toBe(false);
  expect(isFrozen(freeze, at('2026-12-01T09:30:00Z'))).toBe(true);
});

test('without a freeze nothing is frozen', () => {
  expect(isFrozen([], at('2026-11-21T12:00:00Z'))).toBe(false);
});
