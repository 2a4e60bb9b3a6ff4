import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryMetrics } from '../../../flows/metrics/delivery-metrics.ts';
import { lastEnvironments } from '../../../flows/metrics/last-environments.ts';
import type { PastPromotion } from '../../../flows/metrics/past-promotion.ts';
import { histories } from './random-histories.ts';
import { expectSameMetrics } from './expect-same-metrics.ts';

const minute = 60_000;
const day = 86_400_000;

const promotion = (facts: Partial<PastPromotion>): PastPromotion => ({
  id: 'a',
  lane: 'l',
  commit: 'c',
  committedAt: 0,
  isRequested: false,
  outcome: 'passed',
  startedAt: 0,
  endedAt: 10 * minute,
  arrivedAt: undefined,
  takenOutAt: undefined,
  ...facts,
});
const span = { since: 0, until: 2 * day };

test('without promotions there is nothing to measure', () => {
  expect(deliveryMetrics([[]], span)).toMatchObject({
    deployments: 0,
    deploymentsPerDay: 0,
    leadTimeMs: null,
    changeFailureRate: null,
    timeToRestoreMs: null,
  });
});

test('a commit counts once for the lead time, and not if an operator requested its version', () => {
  const lane = [
    promotion({ id: 'a' }),
    promotion({ id: 'b', endedAt: day }),
    promotion({ id: 'c', commit: 'd', isRequested: true, endedAt: day }),
  ];
  expect(deliveryMetrics([lane], span)).toMatchObject({
    deployments: 3,
    deploymentsPerDay: 1.5,
    leadTimeMs: 10 * minute,
    leadTimes: 1,
  });
});

test('a failed verification is restored when its version is taken out, otherwise when the next one passes', () => {
  const failed = { outcome: 'failed', arrivedAt: 5 * minute } as const;
  const next = promotion({ id: 'n', commit: 'n', endedAt: 60 * minute });
  const rolledBack = promotion({ ...failed, takenOutAt: 11 * minute });
  expect(deliveryMetrics([[rolledBack, next]], span)).toMatchObject({
    changes: 2,
    failures: 1,
    changeFailureRate: 0.5,
    timeToRestoreMs: 6 * minute,
  });
  expect(deliveryMetrics([[promotion(failed), next]], span).timeToRestoreMs).toBe(55 * minute);
  expect(deliveryMetrics([[promotion(failed)]], span)).toMatchObject({ failures: 1, restored: 0 });
});

test('a promotion that failed before it changed the environment is not a change', () => {
  expect(deliveryMetrics([[promotion({ outcome: 'failed' })]], span)).toMatchObject({
    changes: 0,
    failures: 0,
  });
});

test('the metrics are the same as the metrics of a walk through random histories', () => {
  fc.assert(fc.property(histories, expectSameMetrics), { numRuns: 100 });
});

test('the last environments are those that no lane leaves', () => {
  const lanes = [
    { from: 'dev', to: 'test' },
    { from: 'test', to: 'prod' },
    { from: 'dev', to: 'demo' },
  ];
  expect(lastEnvironments(lanes)).toEqual(['demo', 'prod']);
  expect(lastEnvironments([...lanes, { from: 'prod', to: 'dev' }, { from: 'demo', to: 'dev' }])).toEqual([
    'demo',
    'dev',
    'prod',
    'test',
  ]);
});
