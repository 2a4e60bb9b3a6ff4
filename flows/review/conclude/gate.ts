import { severities, type Severity } from '../../../lib/core/outcomes/finding.ts';
import type { ReviewReport, ReviewRequest } from '../scope/review-request.ts';

/**
 * The gate. The platform's own `FAILED` fails the review even if there is no new error, unless a known or suppressed
 * error explains it: the platform does not know the baseline. An unknown status is not a success (spec §2.8 shows no
 * other values). `never` passes every review and still reports the findings.
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
