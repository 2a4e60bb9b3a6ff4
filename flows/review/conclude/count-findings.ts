import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import type { ReviewReport } from '../scope/review-request.ts';

/** Counts the new findings of each severity; known and fixed ones do not count. */
export function countFindings(findings: readonly Finding[]): ReviewReport['counts'] {
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { severity, state } of findings) if (state === 'new') counts[severity] += 1;
  return counts;
}
