import fc from 'fast-check';
import type { DeliveryMetrics, MetricsSpan } from '../../../flows/metrics/delivery-metrics.ts';
import type { PastPromotion } from '../../../flows/metrics/past-promotion.ts';

const dayMs = 86_400_000;

const step = fc.record({
  gap: fc.integer({ min: 1, max: dayMs }),
  took: fc.integer({ min: 0, max: dayMs }),
  commit: fc.integer({ min: 0, max: 5 }),
  committedBefore: fc.integer({ min: -1_000, max: 3 * dayMs }),
  isRequested: fc.boolean(),
  outcome: fc.constantFrom('passed', 'passed', 'failed', 'cancelled', 'superseded', 'indeterminate'),
  hasArrived: fc.boolean(),
  takenOutAfter: fc.option(fc.integer({ min: 0, max: 2 * dayMs }), { nil: undefined }),
});

/** The promotions of one lane, one after the other. */
const lane = fc.array(step, { maxLength: 12 }).map((steps): readonly PastPromotion[] => {
  let now = 0;
  return steps.map((one, i) => {
    const startedAt = now + one.gap;
    now = startedAt + one.took;
    const hasFailed = one.outcome === 'failed' && one.hasArrived;
    const mayBeTakenOut = hasFailed || one.outcome === 'passed';
    return {
      id: String(i),
      lane: 'lane',
      commit: String(one.commit),
      committedAt: startedAt - one.committedBefore,
      isRequested: one.isRequested,
      outcome: one.outcome,
      startedAt,
      endedAt: now,
      arrivedAt: hasFailed ? startedAt + Math.floor(one.took / 2) : undefined,
      takenOutAt: mayBeTakenOut && one.takenOutAfter !== undefined ? now + one.takenOutAfter : undefined,
    };
  });
});

/** Histories of some lanes in any order, and a time. */
export const histories = fc
  .tuple(
    fc.array(lane, { maxLength: 3 }),
    fc.integer({ min: 0, max: 8 * dayMs }),
    fc.integer({ min: 0, max: 8 * dayMs }),
  )
  .chain(([lanes, a, b]) =>
    fc
      .tuple(...lanes.map((one) => fc.shuffledSubarray([...one], { minLength: one.length })))
      .map((shuffled) => ({
        lanes: shuffled as readonly (readonly PastPromotion[])[],
        span: { since: Math.min(a, b), until: Math.max(a, b) },
      })),
  );

/** The same metrics from a walk through what happened, moment by moment. */
export function modelOf(lanes: readonly (readonly PastPromotion[])[], span: MetricsSpan): DeliveryMetrics {
  const sum = { passed: 0, changes: 0, failures: 0 };
  const leads: number[] = [];
  const restores: number[] = [];
  for (const promotions of lanes) walk(promotions, span, { sum, leads, restores });
  const days = (span.until - span.since) / dayMs;
  return {
    deployments: sum.passed,
    deploymentsPerDay: days === 0 ? 0 : sum.passed / days,
    leadTimeMs: middle(leads),
    leadTimes: leads.length,
    changes: sum.changes,
    failures: sum.failures,
    changeFailureRate: sum.changes === 0 ? null : sum.failures / sum.changes,
    timeToRestoreMs: middle(restores),
    restored: restores.length,
  };
}

interface Counts {
  readonly sum: { passed: number; changes: number; failures: number };
  readonly leads: number[];
  readonly restores: number[];
}

function walk(
  promotions: readonly PastPromotion[],
  span: MetricsSpan,
  { sum, leads, restores }: Counts,
): void {
  const moments = promotions.flatMap((promotion) => [
    { at: promotion.endedAt, promotion, kind: 'end' as const },
    ...(promotion.takenOutAt === undefined
      ? []
      : [{ at: promotion.takenOutAt, promotion, kind: 'out' as const }]),
  ]);
  // At one moment, what ends comes first.
  const ordered = moments.toSorted(
    (a, b) => a.at - b.at || (a.kind === b.kind ? 0 : a.kind === 'end' ? -1 : 1),
  );
  const delivered = new Set<string>();
  const broken = new Map<PastPromotion, number>();
  const restore = (one: PastPromotion, at: number): void => {
    const from = broken.get(one);
    if (from === undefined) return;
    broken.delete(one);
    if (at >= span.since && at <= span.until) restores.push(at - from);
  };
  for (const { at, promotion, kind } of ordered) {
    if (kind === 'out') {
      restore(promotion, at);
      continue;
    }
    const counts = at >= span.since && at <= span.until;
    const hasPassed = promotion.outcome === 'passed';
    const isBroken = promotion.arrivedAt !== undefined || (hasPassed && promotion.takenOutAt !== undefined);
    if (hasPassed) for (const one of broken.keys()) restore(one, at);
    if (isBroken) broken.set(promotion, promotion.arrivedAt ?? at);
    if (counts && hasPassed) sum.passed += 1;
    if (counts && (hasPassed || isBroken)) sum.changes += 1;
    if (counts && isBroken) sum.failures += 1;
    if (!hasPassed || delivered.has(promotion.commit)) continue;
    delivered.add(promotion.commit);
    if (counts && !promotion.isRequested) leads.push(Math.max(0, at - promotion.committedAt));
  }
}

/** The median by taking away the smallest and the largest. */
function middle(values: readonly number[]): number | null {
  let left = values.toSorted((a, b) => a - b);
  while (left.length > 2) left = left.slice(1, -1);
  return left.length === 0 ? null : left.reduce((a, b) => a + b, 0) / left.length;
}
