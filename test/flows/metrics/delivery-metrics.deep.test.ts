import fc from 'fast-check';
import { test } from 'vitest';
import { expectSameMetrics } from './expect-same-metrics.ts';
import { histories } from './random-histories.ts';

test('the metrics are the same as the metrics of a walk through many random histories', () => {
  fc.assert(fc.property(histories, expectSameMetrics), { numRuns: 20_000 });
});
