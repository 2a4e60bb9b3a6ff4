import { expect, test } from 'vitest';
import type { ShownLane } from '../../../../../worker/web/api/operations/describe-lane.ts';
import type { ShownPromotion } from '../../../../../worker/web/api/operations/describe-promotion.ts';
import { laneState, promotionState, resultText } from '../../../../../worker/web/dashboard/parts/states.ts';

const promotion = (facts: Partial<ShownPromotion>): ShownPromotion =>
  ({
    id: 'r',
    state: 'active',
    outcome: null,
    waitsFor: null,
    status: 'Promoting v1',
    step: 'promote',
    ...facts,
  }) as ShownPromotion;

const lane = (facts: object): ShownLane =>
  ({
    holds: [],
    pauses: [],
    active: null,
    last: null,
    verified: null,
    live: { version: null },
    outOfStep: false,
    byAnotherLane: false,
    ...facts,
  }) as unknown as ShownLane;

test.each([
  ['frozen', { waitsFor: 'freeze' }],
  ['waiting', { status: 'Waiting for v1 in dev' }],
  ['paused', { status: 'Waiting: paused by ada: audit' }],
] as const)('a lane whose promotion is %s counts as waiting and not as moving', (label, facts) => {
  const active = promotion(facts);
  expect(laneState(lane({ active, last: active }))).toMatchObject({ label, group: 'waiting' });
});

test('a lane whose promotion is queued counts as waiting and not as moving', () => {
  const last = promotion({ state: 'queued' });
  expect(laneState(lane({ last }))).toMatchObject({ label: 'queued', group: 'waiting' });
});

test('a paused lane counts as waiting unless a promotion is at work in it, and a hold is shown first', () => {
  const pauses = [{}];
  const active = promotion({ step: 'watch' });
  expect(laneState(lane({ pauses }))).toMatchObject({ label: 'paused', group: 'waiting' });
  expect(laneState(lane({ pauses, active, last: active })).group).toBe('moving');
  expect(laneState(lane({ pauses, holds: [{}] }))).toMatchObject({ label: 'on hold', group: 'needs-you' });
});

test('a lane whose promotion is at work, or is rolled back, counts as moving', () => {
  for (const step of ['promote', 'watch', 'roll-back'] as const) {
    const active = promotion({ step });
    expect(laneState(lane({ active, last: active })).group, step).toBe('moving');
  }
});

test.each([
  ['failed', 'failed', 'bad'],
  ['error', 'failed', 'bad'],
  ['cancelled', 'quiet', 'calm'],
  ['nothing-to-do', 'quiet', 'calm'],
  ['indeterminate', 'needs-you', 'bad'],
] as const)('a lane whose last promotion ended as %s is in the group %s', (outcome, group, tone) => {
  const last = promotion({ state: 'finished', outcome });
  expect(laneState(lane({ last }))).toMatchObject({
    label: `last ${outcome.replaceAll('-', ' ')}`,
    group,
    tone,
  });
});

test('a failed promotion that left an unverified version live needs attention', () => {
  const last = promotion({ state: 'finished', outcome: 'failed' });
  const verified = { version: 'v1', promotion: 'q' };
  const facts = { last, outOfStep: true, live: { version: 'v2' }, verified };
  expect(laneState(lane(facts))).toMatchObject({ label: 'last failed', group: 'needs-you' });
  // Rolled back: only the wanted version is not there.
  expect(laneState(lane({ ...facts, live: { version: 'v1' } }))).toMatchObject({ group: 'failed' });
});

test('a version that was rolled back by hand is called so, and needs no attention once its hold is lifted', () => {
  const rolledBack = { by: 'ada', via: 'api', disabled: 'v2', live: 'v1', reason: 'wrong sums' } as const;
  const status = 'Rolled back to v1 by ada: wrong sums';
  const last = promotion({
    state: 'finished',
    outcome: 'passed',
    message: 'v2 is in test',
    status,
    rolledBack,
  });
  expect([promotionState(last).label, resultText(last)]).toEqual(['rolled back', status]);
  const facts = { last, live: { version: 'v1' }, verified: { version: 'v2', promotion: 'r' } };
  expect(laneState(lane({ ...facts, holds: [{}] }))).toMatchObject({ group: 'needs-you' });
  expect(laneState(lane(facts))).toMatchObject({ label: 'rolled back', group: 'quiet' });
});

test('a cancelled promotion that left an unverified version live needs attention', () => {
  const last = promotion({ state: 'finished', outcome: 'cancelled' });
  const facts = {
    last,
    outOfStep: true,
    live: { version: 'v2' },
    verified: { version: 'v1', promotion: 'q' },
  };
  expect(laneState(lane(facts))).toMatchObject({ label: 'last cancelled', group: 'needs-you' });
  // Its version never came: v1 is live, as it was verified.
  expect(laneState(lane({ ...facts, live: { version: 'v1' } }))).toMatchObject({ group: 'quiet' });
});
