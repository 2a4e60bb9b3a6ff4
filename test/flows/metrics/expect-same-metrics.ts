import { expect } from 'vitest';
import { deliveryMetrics, type MetricsSpan } from '../../../flows/metrics/delivery-metrics.ts';
import type { PastPromotion } from '../../../flows/metrics/past-promotion.ts';
import { modelOf } from './random-histories.ts';

/** Fails unless the metrics are the model's. */
export function expectSameMetrics({
  lanes,
  span,
}: {
  readonly lanes: readonly (readonly PastPromotion[])[];
  readonly span: MetricsSpan;
}): void {
  const { deploymentsPerDay, ...metrics } = deliveryMetrics(lanes, span);
  const { deploymentsPerDay: modelled, ...model } = modelOf(lanes, span);
  expect(metrics).toEqual(model);
  expect(deploymentsPerDay).toBeCloseTo(modelled, 9);
}
