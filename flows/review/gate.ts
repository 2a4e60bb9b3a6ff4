import { type Finding, severities } from '../../lib/core/finding.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';

/** How many findings of each severity count: known and fixed ones do not. */
export function countFindings(findings: readonly Finding[]): ReviewReport['counts'] {
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { severity, state } of findings) if (state === 'new') counts[severity] += 1;
  return counts;
}

/**
 * The gate. The platform's own `FAILED` holds even where we see no error, unless an old or suppressed error explains
 * it: the platform has no memory. A status that is not known is no success (spec §2.8: other values are not shown);
 * `never` lets everything through and still reports it.
 */
export function decide(
  counts: ReviewReport['counts'],
  failOn: ReviewRequest['failOn'],
  answer?: { readonly reviewStatus: string; readonly explained: boolean },
): 'passed' | 'failed' {
  if (failOn === 'never') return 'passed';
  const weighed = severities.slice(0, severities.indexOf(failOn) + 1);
  if (weighed.some((severity) => counts[severity] > 0)) return 'failed';
  const status = answer?.reviewStatus.toUpperCase() ?? 'PASSED';
  if (status === 'PASSED') return 'passed';
  return status === 'FAILED' && answer?.explained === true ? 'passed' : 'failed';
}
