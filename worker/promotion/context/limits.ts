import type { WorkerSettings } from '../../settings/settings.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { roundedDuration } from '../../../lib/core/text/duration-text.ts';

/**
 * How long a step of a promotion may wait, for example for an artifact or for a platform that fails, in
 * milliseconds.
 */
export function stepLimit({ limits }: Pick<PromotionLane, 'limits'>, settings: WorkerSettings): number {
  return limits?.step ?? settings.artifactWaitMs;
}

/** The reason why a promotion must end now, because it got its lane too long ago; undefined while it may continue. */
export function overPromotionLimit({ task, startedAt }: PromotionRecord, now: number): string | undefined {
  const limit = task.lane.limits?.promotion;
  if (limit === undefined || startedAt === undefined || now - startedAt < limit) return undefined;
  return `the promotion took longer than its limit of ${roundedDuration(limit)}`;
}

/** The reason why a promotion must stop waiting for its lane; undefined while it may wait. */
export function overQueueLimit(promotion: PromotionRecord, now: number): string | undefined {
  const { task, createdAt, startedAt, state } = promotion;
  const limit = task.lane.limits?.queue;
  // It had its lane before and was resumed.
  if (startedAt !== undefined) return undefined;
  if (state !== 'queued' || limit === undefined || now - createdAt < limit) return undefined;
  return `the promotion waited for its lane longer than the limit of ${roundedDuration(limit)}`;
}
