import type { Outcome } from '../../lib/core/outcomes/outcome.ts';

/** An ended promotion, with the facts that the metrics need. Times in milliseconds since the epoch. */
export interface PastPromotion {
  readonly id: string;
  readonly lane: string;
  readonly commit: string;
  /** When the commit was made or, if GitHub did not say that, when the worker first accepted it. */
  readonly committedAt: number;
  /** An operator requested the version: it says nothing about how long a change takes. */
  readonly isRequested: boolean;
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When its version came into the environment; undefined if it did not, or if it passed. */
  readonly arrivedAt: number | undefined;
  /** When its version was taken out again; undefined if it was not. */
  readonly takenOutAt: number | undefined;
}

/** Whether the promotion brought a version into the environment, even if the version did not stay there. */
export function isDeployment({ outcome, arrivedAt }: PastPromotion): boolean {
  return outcome === 'passed' || (outcome === 'failed' && arrivedAt !== undefined);
}

/** Whether the promotion's version failed its verification or was rolled back. */
export function isFailure(promotion: PastPromotion): boolean {
  return isDeployment(promotion) && (promotion.outcome === 'failed' || promotion.takenOutAt !== undefined);
}
