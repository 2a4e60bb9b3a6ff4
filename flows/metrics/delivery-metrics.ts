import { isDeployment, isFailure, type PastPromotion } from './past-promotion.ts';

/** The span of time of the metrics, in milliseconds since the epoch. Both ends are included. */
export interface MetricsSpan {
  readonly since: number;
  readonly until: number;
}

/** The delivery metrics of one or more lanes. `null`: there is nothing to measure. */
export interface DeliveryMetrics {
  /** Promotions that passed. */
  readonly deployments: number;
  readonly deploymentsPerDay: number;
  /** The median, and of how many commits. */
  readonly leadTimeMs: number | null;
  readonly leadTimes: number;
  /** Promotions that changed the environment, and how many of them failed. */
  readonly changes: number;
  readonly failures: number;
  /** Between 0 and 1. */
  readonly changeFailureRate: number | null;
  /** The median, and of how many failures. */
  readonly timeToRestoreMs: number | null;
  readonly restored: number;
}

const dayMs = 86_400_000;

/** Computes the metrics of several lanes together. A promotion counts at the time when it ended. */
export function deliveryMetrics(
  lanes: readonly (readonly PastPromotion[])[],
  { since, until }: MetricsSpan,
): DeliveryMetrics {
  const isInside = (time: number): boolean => time >= since && time <= until;
  const ended = lanes.flatMap((lane) => lane.filter(({ endedAt }) => isInside(endedAt)));
  const deployments = ended.filter(({ outcome }) => outcome === 'passed').length;
  const changes = ended.filter(isDeployment).length;
  const failures = ended.filter(isFailure).length;
  const leads = lanes.flatMap((lane) => leadTimes(lane).flatMap(({ at, ms }) => (isInside(at) ? [ms] : [])));
  const restores = lanes.flatMap((lane) =>
    restoreTimes(lane).flatMap(({ at, ms }) => (isInside(at) ? [ms] : [])),
  );
  return {
    deployments,
    deploymentsPerDay: until > since ? (deployments * dayMs) / (until - since) : 0,
    leadTimeMs: medianOf(leads),
    leadTimes: leads.length,
    changes,
    failures,
    changeFailureRate: changes === 0 ? null : failures / changes,
    timeToRestoreMs: medianOf(restores),
    restored: restores.length,
  };
}

/** A duration, and when it ended. */
interface Measured {
  readonly at: number;
  readonly ms: number;
}

/** Of each commit, from the commit to the first promotion of the lane that passed with it. */
function leadTimes(lane: readonly PastPromotion[]): readonly Measured[] {
  const first = new Map<string, PastPromotion>();
  for (const promotion of lane.toSorted(byEnd)) {
    if (promotion.outcome !== 'passed' || first.has(promotion.commit)) continue;
    first.set(promotion.commit, promotion);
  }
  return [...first.values()]
    .filter(({ isRequested }) => !isRequested)
    .map(({ committedAt, endedAt }) => ({ at: endedAt, ms: Math.max(0, endedAt - committedAt) }));
}

/**
 * Of each failure, from when its version came into the environment until it was taken out, or until the next promotion of
 * the lane passed. Failures that are not restored yet are left out.
 */
function restoreTimes(lane: readonly PastPromotion[]): readonly Measured[] {
  const passed = lane.filter(({ outcome }) => outcome === 'passed').toSorted(byEnd);
  return lane.filter(isFailure).flatMap((failure) => {
    const from = failure.arrivedAt ?? failure.endedAt;
    const next = passed.find(({ endedAt, id }) => id !== failure.id && endedAt > failure.endedAt)?.endedAt;
    const at = Math.min(failure.takenOutAt ?? Infinity, next ?? Infinity);
    return at === Infinity ? [] : [{ at, ms: Math.max(0, at - from) }];
  });
}

const byEnd = (a: PastPromotion, b: PastPromotion): number => a.endedAt - b.endedAt;

/** The median: the middle value, or the mean of the two middle values; null for an empty list. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
