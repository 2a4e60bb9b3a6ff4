import { expect, test } from 'vitest';
import { learnedDelay, pollDelay } from '../../../../worker/promotion/context/poll-delay.ts';
import { defaultSettings } from '../../../../worker/settings/settings.ts';
import { manualClock } from '../../../environment/clock.ts';

const minute = 60_000;

/** Looks at an execution of a length until it is seen to have ended. */
function pollTimes(lengthMs: number, usualMs: number | undefined, random = () => 0.5) {
  const clock = manualClock();
  const since = clock.now();
  let age = 0;
  let delays = 0;
  const ages: number[] = [];
  while (age < lengthMs) {
    const parts = { clock: { ...clock, now: () => since + age }, random, settings: defaultSettings };
    age += learnedDelay(since, usualMs, parts);
    delays += 1;
    ages.push(age);
  }
  return { delays, lateBy: age - lengthMs, ages };
}

test('the end of an execution with a known duration is found sooner, with fewer polls', () => {
  const known = pollTimes(30 * minute, 30 * minute);
  const unknown = pollTimes(30 * minute, undefined);
  expect(known.delays).toBeLessThan(unknown.delays / 1.5);
  expect(known.lateBy).toBeLessThanOrEqual(15_000);
  // Until four fifths of it there are a handful.
  expect(known.ages.filter((age) => age < 0.75 * 30 * minute).length).toBeLessThan(16);
});

test('an execution that ends long before its usual time is found within two minutes', () => {
  expect(pollTimes(3 * minute, 60 * minute).lateBy).toBeLessThanOrEqual(2 * minute);
});

test('an overdue execution is polled as if its duration were unknown', () => {
  const clock = manualClock();
  const parts = { clock, random: () => 0.5, settings: defaultSettings };
  const since = clock.now() - 10 * minute;
  expect(learnedDelay(since, minute, parts)).toBe(pollDelay(since, parts));
});

test('poll delays differ by up to 20 % to either side', () => {
  const clock = manualClock();
  const at = (random: () => number): number =>
    learnedDelay(clock.now(), 10 * minute, { clock, random, settings: defaultSettings });
  expect(at(() => 0) / at(() => 0.5)).toBeCloseTo(0.8, 2);
  expect(at(() => 1) / at(() => 0.5)).toBeCloseTo(1.2, 2);
});
