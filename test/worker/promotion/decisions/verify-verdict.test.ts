import { expect, test } from 'vitest';
import { objectionTo, verifyVerdict } from '../../../../worker/promotion/decisions/verify-verdict.ts';
import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { testRedis } from '../../../environment/redis.ts';
import { oneLane } from '../gates/one-lane.ts';

const redis = testRedis();

const sentAt = Date.parse('2031-01-01T12:00:00Z');

/** A promotion that sent its start at noon. */
const promotion = {
  createdAt: sentAt - 60_000,
  version: 'v1.0.0',
  intent: { effect: 'start', at: sentAt, what: '' },
  step: { name: 'start', verify: 0, since: sentAt },
  task: { lane: { to: 'test', verify: [{ pipeline: 'daily/load' }] } },
} as unknown as PromotionRecord;

const reported = {
  pipelineName: 'daily/load.orch.yaml',
  environmentName: 'test',
  versionName: 'v1.0.0',
  startedAt: '2031-01-01T12:00:01Z',
};

test('an execution whose known facts all match is accepted', () => {
  expect(objectionTo(promotion, 'e', reported)).toBeUndefined();
  expect(objectionTo(promotion, 'e', {})).toBeUndefined();
  expect(objectionTo(promotion, 'e', { startedAt: null })).toBeUndefined();
  // Within what clocks differ by.
  expect(objectionTo(promotion, 'e', { startedAt: '2031-01-01T11:56:00Z' })).toBeUndefined();
});

test.each([
  ['pipelineName', 'daily/check'],
  ['environmentName', 'prod'],
  ['versionName', 'v0.9.0'],
])('an execution with another %s is refuted if the platform returns it', (fact, value) => {
  expect(objectionTo(promotion, 'e', { ...reported, [fact]: value })).toMatchObject({
    kind: 'refuted',
    reason: expect.stringContaining(value),
  });
});

test('an execution that began before its start was sent, by more than clocks differ, is objected to', () => {
  expect(objectionTo(promotion, 'e', { startedAt: '2031-01-01T11:54:00Z' })).toMatchObject({
    kind: 'refuted',
  });
});

test('an execution of another promotion is refuted, however the id of the project is spelled', async () => {
  const { ports, lane, push } = await oneLane(redis);
  const id = await push('v1.0.0');
  const note = { kind: 'note', what: 'started', data: { executionId: 'e-1' } } as const;
  await ports.store.record({ lane, promotion: id, fence: '' }, note);
  const { task, ...first } = (await ports.store.promotion(id)) ?? expect.unreachable();
  const spelled = { ...task, lane: { ...task.lane, project: task.lane.project.toUpperCase() } };
  const step = { name: 'start', verify: 0, since: sentAt } as const;
  const second = { ...first, id: 'second', task: spelled, step };
  expect(await verifyVerdict(second, { executionId: 'e-1' }, ports)).toEqual({
    kind: 'refuted',
    reason: `execution e-1 belongs to promotion ${id}`,
  });
});
