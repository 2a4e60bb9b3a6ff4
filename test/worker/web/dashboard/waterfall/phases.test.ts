import { expect, test } from 'vitest';
import type { PromotionTask } from '../../../../../worker/records/promotion-task.ts';
import { phasesOf } from '../../../../../worker/web/dashboard/waterfall/phases.ts';
import { usualDurations } from '../../../../../worker/web/dashboard/waterfall/read-usual.ts';
import { scaleOf } from '../../../../../worker/web/dashboard/waterfall/scale.ts';

const task = { lane: { verify: [{ pipeline: 'load' }, { pipeline: 'check' }] } } as unknown as PromotionTask;

type Given = readonly [at: number, what: string, data?: string];

const facts = { task, createdAt: 0, outcome: 'passed', report: {} } as const;
const phases = (given: readonly Given[], more: object = {}) =>
  phasesOf(
    { ...facts, ...more },
    given.map(([at, what, data = '']) => ({ at, what, data })),
  );
const short = (given: readonly Given[], more: object = {}) =>
  phases(given, more).map(({ name, from, to, end }) => `${name} ${from}-${to ?? ''} ${end}`);

const begun: readonly Given[] = [
  [0, 'accepted', '1'],
  [10, 'activated'],
  [20, 'resolved'],
  [30, 'intend-promote'],
  [40, 'promoted'],
  [41, 'intend-start'],
  [42, 'started', '{"executionId":"e-1"}'],
];

const passed: readonly Given[] = [
  ...begun,
  [60, 'verified', '{"startedAt":"2026-01-01T00:00:01Z","finishedAt":"2026-01-01T00:00:03Z"}'],
  [62, 'started', '{"executionId":"e-2"}'],
  [80, 'verified'],
  [81, 'ended', 'passed'],
];

test('a promotion that passed has its queue, gates, promotion, executions and report, without gaps', () => {
  expect(short(passed, { report: { endSentAt: 90 } })).toEqual([
    'Queue 0-10 done',
    'Find version 10-20 done',
    'Gates 20-30 done',
    'Promote 30-40 done',
    'Verify load 40-60 done',
    'Verify check 60-80 done',
    'Report 80-90 done',
  ]);
  const [, , , , load] = phases(passed);
  expect(load).toMatchObject({ executionId: 'e-1' });
  expect(load?.ran === undefined ? 0 : load.ran.to - load.ran.from).toBe(2_000);
});

test('a roll-back by hand, after the end, is in no phase', () => {
  const later = phases([...passed, [5_000, 'rolled-back', '{"live":"v1"}']]);
  expect(later).toEqual(phases(passed));
});

test('a failed verification is followed by the roll-back', () => {
  const given: readonly Given[] = [
    ...begun,
    [50, 'verification-failed', '{"reason":"x"}'],
    [55, 'rolled-back'],
    [56, 'ended', 'failed'],
  ];
  expect(short(given).slice(-2)).toEqual(['Verify load 40-50 failed', 'Roll back 50-55 done']);
});

test('what runs now is open, and retries and takeovers are events of its phase', () => {
  const given: readonly Given[] = [...begun, [45, 'taken-over'], [46, 'tag-busy']];
  const last = phases(given, { outcome: undefined }).at(-1);
  expect(last).toMatchObject({ name: 'Verify load', to: undefined, end: 'open' });
  expect(last?.events.map(({ what }) => what)).toEqual(['taken-over', 'tag-busy']);
});

test('an indeterminate promotion waits for a person, and then continues where it was', () => {
  const given: readonly Given[] = [
    ...begun,
    [50, 'ended', 'indeterminate'],
    [100, 'verdict', '{"by":"ada"}'],
    [101, 'activated'],
    [120, 'verified'],
    [130, 'verified'],
    [131, 'ended', 'passed'],
  ];
  expect(short(given).slice(4)).toEqual([
    'Verify load 40-50 failed',
    'Wait for a person 50-100 done',
    'Queue again 100-101 done',
    'Verify load 101-120 done',
    'Verify check 120-130 done',
  ]);
});

test('a promotion that is superseded in the queue has only its queue', () => {
  expect(short([[5, 'superseded', 'v2']], { outcome: 'superseded' })).toEqual(['Queue 0-5 stopped']);
});

test('the usual duration is the median of the phases that ended well', () => {
  const slow = phases(passed.map(([at, ...rest]) => [at * 3, ...rest] as const));
  const failed = phases([...begun, [4_000, 'verification-failed']]);
  expect(usualDurations([phases(passed), slow, failed]).get('Verify load')).toBe(40);
});

test('a long wait is cut, so that the work stays visible; the bars follow each other', () => {
  const all = phases(
    passed.map(([at, what, data]) => [at < 30 ? at : at + 1_000_000, what, data ?? ''] as const),
  );
  const { phases: drawn, widthOf } = scaleOf(all, 0);
  const gates = drawn[2];
  expect(gates).toMatchObject({ isCut: true });
  expect(gates?.width).toBeLessThan(0.5);
  expect(widthOf(20)).toBeCloseTo(drawn[4]?.width ?? 0, 9);
  for (const [i, { start, width }] of drawn.entries())
    expect(drawn[i + 1]?.start ?? 1).toBeCloseTo(start + width, 9);
});
