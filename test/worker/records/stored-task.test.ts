import { expect, test } from 'vitest';
import type { PromotionLane, PromotionTask } from '../../../worker/records/promotion-task.ts';
import { readTask, storedTask } from '../../../worker/records/stored-task.ts';

const project = '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b';

const usual: PromotionLane = {
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

const taskOf = (lane: PromotionLane, more: Partial<PromotionTask> = {}): PromotionTask => ({
  repository: { id: 77, fullName: 'example/warehouse' },
  ref: 'refs/tags/v1.0.0',
  commit: 'c'.repeat(40),
  delivery: 'd',
  version: { kind: 'named', name: 'v1.0.0', commit: 'c'.repeat(40) },
  lane,
  ...more,
});

const throughRedis = (task: PromotionTask): PromotionTask =>
  readTask(JSON.stringify(storedTask(task)), task.lane.id);

test('a task is stored without what has its default value, and read with what its type requires', () => {
  const full = taskOf(
    {
      ...usual,
      versions: { order: 'auto', prereleases: true },
      onConflict: 'wait',
      limits: {},
      gates: { ...usual.gates, authorsMayApprove: true, checks: [], windows: [] },
    },
    { authors: [], authorIds: {} },
  );
  expect(storedTask(full)).toEqual({
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
  expect(throughRedis(full)).toEqual(taskOf(usual));
});

test('what is not the default is read as it was, also in the lanes that follow', () => {
  const other: PromotionLane = {
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
  const task = taskOf(other, { authors: ['ada'], authorIds: { ada: 1 } });
  expect(throughRedis(task)).toEqual(task);
});

test('a task of an older worker, which has everything, is read as it is', () => {
  const task = taskOf({ ...usual, gates: { ...usual.gates, checks: ['review'] } });
  expect(readTask(JSON.stringify(task), task.lane.id)).toEqual(task);
});
