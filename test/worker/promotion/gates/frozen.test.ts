import { expect, test } from 'vitest';
import { type Period, weekDays } from '../../../../lib/config/project/gates-schema.ts';
import * as times from '../../../../worker/promotion/gates/frozen.ts';

const at = (time: string): number => Date.parse(time);
const isFrozen = (freeze: readonly Period[], now: number) =>
  times.isFrozen({ freeze: [...freeze], windows: [] }, now);
const frozenUntil = (freeze: readonly Period[], now: number) =>
  times.frozenUntil({ freeze: [...freeze], windows: [] }, now);

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

/** Hours of a night in which London's clocks change, as the freeze of 01:00 to 02:00 sees them. */
const night: readonly Period[] = [{ from: '01:00', to: '02:00', zone: 'Europe/London' }];

test('an hour that the clocks leave out freezes nothing, and one that they show twice freezes twice', () => {
  // 29 March 2026: 01:00 GMT is 02:00 BST.
  expect(isFrozen(night, at('2026-03-29T00:59:00Z'))).toBe(false);
  expect(isFrozen(night, at('2026-03-29T01:00:00Z'))).toBe(false);
  // 25 October 2026: 01:00–02:00 BST, then 01:00–02:00 GMT.
  expect(isFrozen(night, at('2026-10-25T00:30:00Z'))).toBe(true);
  expect(isFrozen(night, at('2026-10-25T01:30:00Z'))).toBe(true);
  expect(isFrozen(night, at('2026-10-25T02:00:00Z'))).toBe(false);
  expect(frozenUntil(night, at('2026-10-25T00:30:00Z'))).toBe(at('2026-10-25T02:00:00Z'));
});

test('the night after a day of 23 hours belongs to that day, and so does that after one of 25', () => {
  const nightOf = (...days: Period['days'] & {}): readonly Period[] => [
    { days, from: '22:00', to: '06:00', zone: 'Europe/London' },
  ];
  // A quarter past midnight on Monday, 24 hours after a quarter past eleven on Saturday: Sunday had 23.
  expect(isFrozen(nightOf('sun'), at('2026-03-29T23:15:00Z'))).toBe(true);
  expect(isFrozen(nightOf('sat'), at('2026-03-29T23:15:00Z'))).toBe(false);
  // Half past five on the Sunday of 25 hours, and on the Monday after it.
  expect(isFrozen(nightOf('sat'), at('2026-10-25T05:30:00Z'))).toBe(true);
  expect(isFrozen(nightOf('sat'), at('2026-10-25T06:00:00Z'))).toBe(false);
  expect(isFrozen(nightOf('sun'), at('2026-10-26T05:30:00Z'))).toBe(true);
  const nearlyADay: readonly Period[] = [
    { days: ['sat'], from: '23:45', to: '23:30', zone: 'Europe/London' },
  ];
  expect(isFrozen(nearlyADay, at('2026-10-25T23:15:00Z'))).toBe(true);
});

test.each([
  ['a weekend', [{ days: ['sat', 'sun'], zone: 'UTC' }], '2026-11-21T12:00:00Z', '2026-11-23T00:00:00Z'],
  [
    'a weekend in London over the change',
    [{ days: ['sun'], zone: 'Europe/London' }],
    '2026-03-29T12:00:00Z',
    '2026-03-29T23:00:00Z',
  ],
  [
    'two that follow one another',
    [
      { from: '18:00', to: '19:00', zone: 'UTC' },
      { from: '19:00', to: '19:07', zone: 'UTC' },
    ],
    '2026-11-21T18:30:00Z',
    '2026-11-21T19:07:00Z',
  ],
] as const)('the end of %s is found to the minute', (_, freezes, now, end) => {
  expect(frozenUntil(freezes as readonly Period[], at(now))).toBe(at(end));
});

test('a freeze of all days has no end', () => {
  expect(frozenUntil([{ days: [...weekDays], zone: 'UTC' }], at('2026-11-21T12:00:00Z'))).toBeUndefined();
});

const office: Period = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00', zone: 'UTC' };
const mornings: Period = { from: '06:00', to: '12:00', zone: 'UTC' };

test.each([
  ['in both windows', '2026-11-23T10:00:00Z', false],
  ['in one window', '2026-11-23T08:00:00Z', true],
  ['in none', '2026-11-23T18:00:00Z', true],
  ['in both, and in a freeze', '2026-11-23T11:30:00Z', true],
])('with windows of two files and a freeze, a moment %s', (_, time, frozen) => {
  const freeze: Period[] = [{ from: '11:00', to: '12:00', zone: 'UTC' }];
  expect(times.isFrozen({ freeze, windows: [[office], [mornings]] }, at(time))).toBe(frozen);
});

test('outside of the windows, the start of the next one is found to the minute', () => {
  const windows = [[office], [{ from: '09:37', to: '12:00', zone: 'UTC' }]];
  expect(times.frozenUntil({ freeze: [], windows }, at('2026-11-20T13:00:00Z'))).toBe(
    at('2026-11-23T09:37:00Z'),
  );
});

test('a window of ten minutes is found from any minute before it', () => {
  const windows = [[{ from: '10:00', to: '10:10', zone: 'UTC' }]];
  for (const now of ['2026-11-21T00:12:00Z', '2026-11-21T09:59:00Z', '2026-11-20T10:10:00Z'])
    expect(times.frozenUntil({ freeze: [], windows }, at(now))).toBe(at('2026-11-21T10:00:00Z'));
});
