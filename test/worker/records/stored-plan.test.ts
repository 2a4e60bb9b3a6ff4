import { expect, test } from 'vitest';
import type { LanePlan, PromotionPlan } from '../../../worker/records/plan.ts';
import { readPlan, storedPlan } from '../../../worker/records/stored-plan.ts';

const project = '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b';

const usual: LanePlan = {
  name: 'to-test',
  id: `77/${project}/to-test`,
  project,
  credential: 'platform',
  from: 'dev',
  to: 'test',
  policy: 'latest',
  verify: [{ pipeline: 'daily/load', timeout: 3_600_000, variables: {} }],
  onFailure: 'hold',
  gates: { approvals: 0, soak: 0, freeze: [] },
  next: [],
};

const planOf = (lane: LanePlan, more: Partial<PromotionPlan> = {}): PromotionPlan => ({
  repository: { id: 77, fullName: 'example/warehouse' },
  ref: 'refs/tags/v1.0.0',
  commit: 'c'.repeat(40),
  delivery: 'd',
  version: { kind: 'named', name: 'v1.0.0', commit: 'c'.repeat(40) },
  lane,
  ...more,
});

const throughRedis = (plan: PromotionPlan): PromotionPlan =>
  readPlan(JSON.stringify(storedPlan(plan)), plan.lane.id);

test('a plan is stored without what has its default value, and read with what its type requires', () => {
  const full = planOf(
    {
      ...usual,
      versions: { order: 'auto', prereleases: true },
      onConflict: 'wait',
      limits: {},
      gates: { ...usual.gates, authorsMayApprove: true, checks: [], windows: [] },
    },
    { authors: [], authorIds: {} },
  );
  expect(storedPlan(full)).toEqual({
    repository: { id: 77, fullName: 'example/warehouse' },
    ref: 'refs/tags/v1.0.0',
    commit: 'c'.repeat(40),
    delivery: 'd',
    version: { kind: 'named', name: 'v1.0.0', commit: 'c'.repeat(40) },
    lane: {
      name: 'to-test',
      project,
      credential: 'platform',
      from: 'dev',
      to: 'test',
      verify: [{ pipeline: 'daily/load', timeout: 3_600_000 }],
    },
  });
  expect(throughRedis(full)).toEqual(planOf(usual));
});

test('what is not the default is read as it was, also in the lanes that follow', () => {
  const other: LanePlan = {
    ...usual,
    policy: 'every',
    versions: { order: 'semantic', allow: '>=1', prereleases: false },
    verify: [{ pipeline: 'daily/load', timeout: 1_000, variables: { day: '1' } }],
    onFailure: 'rollback',
    gates: {
      approvals: 2,
      authorsMayApprove: false,
      soak: 60_000,
      checks: ['review'],
      freeze: [{ days: ['sat'], zone: 'UTC' }],
      windows: [[{ days: ['mon'], zone: 'UTC' }]],
    },
    onConflict: 'fail',
    limits: { step: 5_000 },
    next: [{ ...usual, id: `77/${project}/to-production`, name: 'to-production', to: 'production' }],
  };
  const plan = planOf(other, { authors: ['ada'], authorIds: { ada: 1 } });
  expect(throughRedis(plan)).toEqual(plan);
});

test('a plan of an older worker, which has everything, is read as it is', () => {
  const plan = planOf({ ...usual, gates: { ...usual.gates, checks: ['review'] } });
  expect(readPlan(JSON.stringify(plan), plan.lane.id)).toEqual(plan);
});
