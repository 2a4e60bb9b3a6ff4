import { severities, type Severity } from '../../../lib/core/outcomes/finding.ts';
import type { ReviewReport, ReviewRequest } from '../scope/review-request.ts';

/**
 * Decides whether a review passes. If the platform says `FAILED`, the review fails even without a new error, unless
 * a known or suppressed error explains it (the platform does not know the baseline). An unknown status counts as
 * failed (spec §2.8 shows no other values). With `never`, every review passes and still reports its findings.
 */
export function decide(
  counts: ReviewReport['counts'],
  failOn: ReviewRequest['failOn'],
  answer?: { readonly reviewStatus: string; readonly explained: boolean },
): 'passed' | 'failed' {
  if (failOn === 'never') return 'passed';
  const failing = failingSeverities(failOn);
  if (failing.some((severity) => counts[severity] > 0)) return 'failed';
  const status = answer?.reviewStatus.toUpperCase() ?? 'PASSED';
  if (status === 'PASSED') return 'passed';
  return status === 'FAILED' && answer?.explained === true ? 'passed' : 'failed';
}

/** The severities that fail a review, the worst first. */
export function failingSeverities(failOn: ReviewRequest['failOn']): readonly Severity[] {
  return failOn === 'never' ? [] : severities.slice(0, severities.indexOf(failOn) + 1);
}
